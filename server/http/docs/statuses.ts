import type { Endpoint } from '../../../contract/endpoint.ts'
import { responsesOf } from '../../../contract/responses.ts'

export interface Status {
  status: number
  /** The error code, or the meaning of another status. */
  name: string
}

/** The declared statuses of an endpoint; an error status once per code. */
export const statusesOf = (endpoint: Endpoint): Status[] =>
  responsesOf(endpoint).flatMap(({ status, description, codes }) =>
    codes.length > 0 && !endpoint.errors
      ? codes.map((code) => ({ status, name: code }))
      : [{ status, name: NAMES[status] ?? description }],
  )

const NAMES: Record<number, string | undefined> = {
  201: 'Created',
  202: 'Accepted',
  206: 'Partial content',
  304: 'Not modified',
  416: 'Range not satisfiable',
}

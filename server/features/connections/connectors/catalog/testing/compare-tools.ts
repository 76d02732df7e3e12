import { expect } from 'vitest'
import type { ConnectorDefinition } from '../../definition/definition.ts'
import type { ConnectionTarget } from '../../requests/build-request.ts'
import { type Failure, failureOf } from '../../requests/failure.ts'
import { type RecordedRequest, recordRequests } from './recording-server.ts'
import { requestOf } from './tool-request.ts'

export type ComparableRequest = Pick<RecordedRequest, 'method' | 'path' | 'query' | 'body'>

/** The parts of a request that decide its effect at the provider. An empty object counts as no body. */
export const comparableOf = ({ method, path, query, body }: RecordedRequest): ComparableRequest => ({
  method,
  path,
  query,
  body: JSON.stringify(body) === '{}' ? null : body,
})

/** A tool with its input, and the same call by the SDK of the vendor or as in its documentation. */
export type ToolCase = [
  tool: string,
  input: Record<string, unknown>,
  vendor: ((url: string) => Promise<unknown>) | ComparableRequest,
]

interface Differences {
  /** Parameters with which the SDK authorizes requests, where we use a header. */
  credentials?: readonly string[]
  /** The SDK sends contents in the URL, where a long text does not fit. */
  writesInUrl?: boolean
}

/** Every tool of the definition has a case, and its request is the one of the vendor. */
export async function expectSameRequests(
  target: ConnectionTarget,
  cases: readonly ToolCase[],
  { credentials = [], writesInUrl = false }: Differences = {},
): Promise<void> {
  for (const [tool, input, vendor] of cases) {
    const ours = comparableOf(await requestOf(target, tool, input))
    const theirs = typeof vendor === 'function' ? comparableOf((await recordRequests(vendor))[0]!) : vendor
    for (const name of credentials) delete theirs.query[name]
    const isMoved = writesInUrl && theirs.method !== 'GET'
    expect(ours, tool).toEqual(isMoved ? { ...theirs, query: {}, body: theirs.query } : theirs)
  }
  const covered = new Set(cases.map(([name]) => name))
  expect(target.definition.tools.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([])
}

export const failure = (definition: ConnectorDefinition, status: number, body: unknown): Failure | null =>
  failureOf(definition, { status, headers: {}, body, bytes: Buffer.alloc(0), truncated: false })

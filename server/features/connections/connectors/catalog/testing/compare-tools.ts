import { expect } from 'vitest'
import type { ConnectorDefinition } from '../../definition/definition.ts'
import type { ConnectionTarget } from '../../requests/build-request.ts'
import { type Failure, findProviderFailure } from '../../requests/failure.ts'
import { type RecordedRequest, recordRequests } from './recording-server.ts'
import { captureRequest } from './tool-request.ts'

export type ComparableRequest = Pick<RecordedRequest, 'method' | 'path' | 'query' | 'body'>

/** An empty object counts as no body. */
export const toComparable = ({ method, path, query, body }: RecordedRequest): ComparableRequest => ({
  method,
  path,
  query,
  body: JSON.stringify(body) === '{}' ? null : body,
})

export type ToolCase = [
  tool: string,
  input: Record<string, unknown>,
  vendor: ((url: string) => Promise<unknown>) | ComparableRequest,
]

interface Differences {
  /** Where we use a header. */
  credentials?: readonly string[]
  /** A long text doesn't fit there. */
  writesInUrl?: boolean
}

/** Every tool must have a case. */
export async function expectSameRequests(
  target: ConnectionTarget,
  cases: readonly ToolCase[],
  { credentials = [], writesInUrl = false }: Differences = {},
): Promise<void> {
  for (const [tool, input, vendor] of cases) {
    const ours = toComparable(await captureRequest(target, tool, input))
    const theirs = typeof vendor === 'function' ? toComparable((await recordRequests(vendor))[0]!) : vendor
    for (const name of credentials) delete theirs.query[name]
    const isMoved = writesInUrl && theirs.method !== 'GET'
    expect(ours, tool).toEqual(isMoved ? { ...theirs, query: {}, body: theirs.query } : theirs)
  }
  const covered = new Set(cases.map(([name]) => name))
  expect(target.definition.tools.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([])
}

export const failure = (definition: ConnectorDefinition, status: number, body: unknown): Failure | null =>
  findProviderFailure(definition, { status, headers: {}, body, bytes: Buffer.alloc(0), truncated: false })

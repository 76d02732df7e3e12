import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '../../../../concurrency/semaphore.ts'
import { ApiError, Busy } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { type CallResult, type ConnectorTool, callTool } from '../../connectors/connectors.ts'
import { reportFailure } from '../check-now.ts'
import type { ConnectionDependencies } from '../dependencies.ts'
import { openConnection } from '../open.ts'
import { updateUsed } from '../queries.ts'
import { claimWriter, insertCall, releaseWriter } from './call-queries.ts'

export interface ConnectionCall {
  connectionId: string
  runId: string
  toolName: string
  tool: ConnectorTool
  input: Record<string, unknown>
  /** Shared by all attempts. */
  idempotencyKey: string
  signal: AbortSignal
}

/**
 * Refreshes refused tokens once. Throws `ConnectionExpired` if the owner must reauthorize: the provider did not act,
 * and the call can be made later.
 */
export async function callConnection(
  deps: ConnectionDependencies,
  orgId: string,
  call: ConnectionCall,
): Promise<CallResult> {
  const { connectionId } = call
  const first = await attempt(deps, orgId, call)
  if (first.result.ok || !isRefused(first.result)) return first.result
  const { failure } = first.result.failed
  const { shouldRetry } = await reportFailure(deps, orgId, connectionId, failure, first.target)
  if (shouldRetry) return (await attempt(deps, orgId, call)).result
  await open(deps, orgId, call)
  return first.result
}

const isRefused = (result: CallResult & { ok: false }) =>
  ['expired', 'revoked'].includes(result.failed.failure.means)

async function attempt(deps: ConnectionDependencies, orgId: string, call: ConnectionCall) {
  const { connectionId, tool, input, idempotencyKey, signal } = call
  const target = await open(deps, orgId, call)
  const startedAt = deps.now()
  const isRead = tool.effect === 'read'
  const { result, record } = await callTool(deps.outbound, target, tool, input, {
    idempotencyKey,
    signal,
    now: deps.now,
    slot: (work) => inSlot(deps, orgId, { connectionId, isRead, signal }, work),
  })
  if (record) await recordCall(deps, orgId, call, { result, record, startedAt })
  return { target, result }
}

type ToolCall = { [K in 'result' | 'record']: NonNullable<Awaited<ReturnType<typeof callTool>>[K]> }

async function recordCall(
  { sql, now }: ConnectionDependencies,
  orgId: string,
  { connectionId, runId, toolName }: ConnectionCall,
  { result, record, startedAt }: ToolCall & { startedAt: Date },
): Promise<void> {
  await insertCall(sql, orgId, {
    ...record,
    id: newId(),
    connectionId,
    runId,
    tool: toolName,
    status: result.ok ? 'succeeded' : 'failed',
    errorCode: result.ok ? null : (result.failed.failure.code ?? result.failed.failure.means),
    startedAt,
  })
  if (result.ok) await updateUsed(sql, orgId, connectionId, now())
}

/** The provider refuses the credentials until the owner reauthorizes. */
export class ConnectionExpired extends Error {
  readonly connectionId: string
  constructor(connectionId: string, message: string) {
    super(message)
    this.connectionId = connectionId
  }
}

async function open(deps: ConnectionDependencies, orgId: string, { connectionId, toolName }: ConnectionCall) {
  try {
    return await openConnection(deps, orgId, connectionId)
  } catch (error) {
    if (error instanceof ApiError && reasonOf(error) === 'connection_expired')
      throw new ConnectionExpired(connectionId, error.message)
    if (error instanceof ApiError && error.code === 'NOT_FOUND')
      throw new ApiError('NOT_FOUND', `The connection for ${toolName} was revoked`)
    throw error
  }
}

const reasonOf = ({ details }: ApiError): unknown =>
  details && !Array.isArray(details) ? (details as { reason?: unknown }).reason : undefined

const READERS_MAX = 6
/** Longer than one request can take. */
const LEASE_MS = 45_000
const WAIT_MS = 100
const WAITS_MAX = 600
const SLOT_WAIT_MS = WAIT_MS * WAITS_MAX

const permits = Number.MAX_SAFE_INTEGER
const slots = { name: 'calls on this connection', permits, waitMs: SLOT_WAIT_MS }
const readers = createSemaphore({ ...slots, permitsPerKey: READERS_MAX })
const writers = createSemaphore({ ...slots, permitsPerKey: 1 })

/**
 * Per process, six reads run in parallel. Writes run one at a time across all processes: providers apply concurrent
 * changes in any order.
 */
function inSlot<T>(
  deps: Pick<ConnectionDependencies, 'sql' | 'now'>,
  orgId: string,
  { connectionId, isRead, signal }: { connectionId: string; isRead: boolean; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const key = `${orgId} ${connectionId}`
  if (isRead) return readers.run(key, work, signal)
  return writers.run(
    key,
    async () => {
      const lease = await waitForLease(deps, orgId, connectionId, signal)
      try {
        return await work()
      } finally {
        await releaseWriter(deps.sql, orgId, connectionId, lease)
      }
    },
    signal,
  )
}

async function waitForLease(
  { sql, now }: Pick<ConnectionDependencies, 'sql' | 'now'>,
  orgId: string,
  connectionId: string,
  signal: AbortSignal,
): Promise<string> {
  const lease = newId()
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    const until = new Date(now().getTime() + LEASE_MS)
    if (await claimWriter(sql, orgId, connectionId, { lease, now: now(), until })) return lease
    await sleep(WAIT_MS, undefined, { signal })
  }
  throw new Busy('UNAVAILABLE', 'Other calls are making changes with this connection: try again in a moment')
}

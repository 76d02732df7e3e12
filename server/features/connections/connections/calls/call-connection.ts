import { ApiError } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import {
  type CallRecord,
  type CallResult,
  type ConnectorTool,
  callTool,
} from '../../connectors/connectors.ts'
import type { ConnectionDependencies } from '../dependencies.ts'
import { reportFailure } from '../failure.ts'
import { openConnection } from '../open.ts'
import { updateUsed } from '../queries.ts'
import { insertCall } from './call-queries.ts'
import { inSlot } from './request-slots.ts'

export interface ConnectionCall {
  connectionId: string
  runId: string
  /** The name of the tool with the slug, as the agent calls it. */
  toolName: string
  tool: ConnectorTool
  input: Record<string, unknown>
  /** All attempts of a call have the same key. */
  idempotencyKey: string
  signal: AbortSignal
}

/**
 * Calls a tool with a connection and records the call. Tokens that the provider refuses are refreshed once. Throws
 * `ConnectionExpired` if a person has to authorize the connection again: then the provider did not act, and the call can
 * be made later.
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

async function recordCall(
  { sql, now }: ConnectionDependencies,
  orgId: string,
  { connectionId, runId, toolName }: ConnectionCall,
  { result, record, startedAt }: { result: CallResult; record: CallRecord; startedAt: Date },
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

/** The provider refuses the credentials, until the owner authorizes the connection again. */
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
      throw new ApiError('NOT_FOUND', `The connection of ${toolName} was revoked`)
    throw error
  }
}

const reasonOf = ({ details }: ApiError): unknown =>
  details && !Array.isArray(details) ? (details as { reason?: unknown }).reason : undefined

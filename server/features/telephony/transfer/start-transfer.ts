import type { Sql } from '../../../database/database.ts'
import { ApiError, conflict, notFound, raise } from '../../../errors.ts'
import { findCallbackNumberById } from '../callbacks/called-number-queries.ts'
import { type CallRow, lockCall } from '../calls/call-queries.ts'
import { isAllowedDestination } from '../carrier/destination.ts'
import { storeTransfer, transferOf } from './change-transfer.ts'
import { isUnderWay, requestTransfer, type Transfer } from './states.ts'

export interface TransferRequest {
  /** Dialed one after the other. */
  targets: readonly string[]
  /** The first sentence that the target hears. */
  summary?: string | null
  /** The member; null: the agent. */
  requestedBy: string | null
  /**
   * The agent speaks to the end, then its conversation ends and `relay-ended` holds the caller. Otherwise the carrier takes
   * the caller out of the conversation immediately.
   */
  isHandedOff?: boolean
}

/** A context, or the part of one that a tool of an agent has. */
interface StartContext {
  now: () => Date
  transaction: <T>(work: (inside: { sql: Sql }) => Promise<T>) => Promise<T>
}

/**
 * Begins to transfer a call in progress; a worker carries it out. Throws CONFLICT if the call cannot be transferred now, and
 * BAD_REQUEST with the reason `destination_not_allowed` for a target that calls of the number may not go to.
 */
export const startTransfer = (
  ctx: StartContext,
  orgId: string,
  callId: string,
  { targets, summary = null, requestedBy, isHandedOff = false }: TransferRequest,
): Promise<Transfer> =>
  ctx.transaction(async ({ sql }) => {
    const call = (await lockCall(sql, orgId, callId)) ?? raise(notFound('Call'))
    const before = requireTransferable(call)
    const number = call.numberId === null ? null : await findCallbackNumberById(sql, call.numberId)
    if (number?.orgId !== orgId) throw conflict('The number of the call is no longer used')
    const refusedTarget = targets.find((target) => !isAllowedDestination(number, number.settings, target))
    if (refusedTarget !== undefined) throw notAllowed(refusedTarget)
    const now = ctx.now()
    const request = { targets, summary, requestedBy, isHandedOff, n: (before?.n ?? 0) + 1 }
    // A leg of an earlier transfer may still have to be ended.
    const after = { ...requestTransfer(request, now), ending: before?.ending ?? [] }
    await storeTransfer(sql, orgId, call, { before, after }, now)
    return after
  })

function requireTransferable(call: CallRow): Transfer | null {
  if (call.status !== 'in_progress' || call.providerId === null)
    throw conflict('The call is not in progress and cannot be transferred')
  if (call.provider !== 'twilio')
    throw conflict('ElevenLabs controls this call: transfer it there, with a transfer tool of the agent')
  const before = transferOf(call)
  if (before && (isUnderWay(before) || before.state === 'bridged'))
    throw conflict('The call is being transferred')
  if (before?.state === 'failed' && !before.isReturned)
    throw conflict('The call is being transferred: the caller has not returned to the agent yet')
  return before
}

const notAllowed = (target: string) =>
  new ApiError('BAD_REQUEST', `Calls of this number may not go to ${target}`, {
    details: { reason: 'destination_not_allowed' },
  })

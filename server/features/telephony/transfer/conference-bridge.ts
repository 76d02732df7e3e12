import type { HandleCallback } from '../callbacks/callback.ts'
import { changeTransfer, transferOf } from './change-transfer.ts'
import { findNamedCall } from './named-call.ts'

/** Receives reports about who joined and left the conference of a transfer. */
export const receiveConference: HandleCallback = async (ctx, number, { query, fields }) => {
  const { CallSid, StatusCallbackEvent: event } = fields
  const call = await findNamedCall(ctx.sql, number, query)
  const transfer = call && transferOf(call)
  // The status of its leg reports the result for the target.
  if (!transfer || String(transfer.n) !== query.transfer || CallSid !== call.providerId) return null
  const change = (type: 'held' | 'caller_present' | 'caller_missing') =>
    changeTransfer(ctx.sql, number.orgId, call.id, { type }, ctx.now())
  if (event === 'participant-join') {
    await change('held')
    await change('caller_present')
  }
  if (event === 'participant-leave') await change('caller_missing')
  return null
}

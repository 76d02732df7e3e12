import type { HandleCallback } from '../callbacks/callback.ts'
import { findCall } from '../calls/call-queries.ts'
import { changeTransfer, transferOf } from './change-transfer.ts'

/** Who joined and left the conference of a transfer. */
export const receiveConference: HandleCallback = async (ctx, number, { query, fields }) => {
  const { orgId } = number
  const { call: callId = '', transfer: n } = query
  const { CallSid, StatusCallbackEvent: event } = fields
  const call = await findCall(ctx.sql, orgId, callId)
  const transfer = call && transferOf(call)
  // The status of its leg tells about the target.
  if (!transfer || String(transfer.n) !== n || CallSid !== call.providerId) return null
  const change = (type: 'held' | 'caller_present' | 'caller_missing') =>
    changeTransfer(ctx.sql, orgId, callId, { type }, ctx.now())
  if (event === 'participant-join') {
    await change('held')
    await change('caller_present')
  }
  if (event === 'participant-leave') await change('caller_missing')
  return null
}

import type { PublicContext } from '../../../context.ts'
import type { CallRow } from '../calls/call.ts'
import { changeTransfer } from '../calls/change-transfer.ts'
import { farewell } from '../calls/phrases.ts'
import { findNamedCall } from '../calls/queries.ts'
import { dialKey, isUnderWay, type TransferEvent } from '../calls/transfer-states.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'
import { hangUp, twiml } from '../carrier/twiml.ts'
import type { TwimlOptions } from '../carrier/urls.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CallbackNumber, CarrierReply, HandleCallback } from '../numbers/called-number.ts'
import { relayTwiml } from '../relay/relay-twiml.ts'
import { holdTwiml } from './transfer-twiml.ts'

export const receiveConference: HandleCallback = async (ctx, number, { query, fields }) => {
  const { CallSid, StatusCallbackEvent: event } = fields
  const call = await findNamedCall(ctx.sql, number, query)
  const transfer = call?.transfer
  // The target's leg status reports its result.
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

export async function conferenceEnded(
  options: TelephonyOptions,
  ctx: PublicContext<'vault'>,
  number: CallbackNumber,
  call: CallRow,
  { query, fields }: CarrierCallback,
): Promise<CarrierReply> {
  const { orgId } = number
  const isGone = fields.CallStatus === 'completed'
  const changed = await changeTransfer(ctx.sql, orgId, call.id, eventOf(call, isGone), ctx.now())
  if (!changed || isGone || String(changed.after.n) !== query.transfer) return { twiml: twiml(hangUp) }
  const { after } = changed
  if (isUnderWay(after)) return { twiml: holdTwiml(options, ctx, call.id, number, after) }
  if (after.state !== 'failed') return { twiml: farewell('over', number) }
  const hasAgent = call.agentId !== null && call.ownerId !== null
  return {
    twiml: hasAgent
      ? await relayTwiml(options, ctx, { orgId, id: call.id }, number)
      : farewell('unavailable', number),
  }
}

/** In `bridged`, the target has left. */
function eventOf({ transfer }: CallRow, isGone: boolean): TransferEvent {
  if (isGone) return { type: 'caller_left' }
  return transfer?.state === 'bridged'
    ? { type: 'target_ended', dial: dialKey(transfer), leg: transfer.leg ?? '', miss: 'refused' }
    : { type: 'caller_present' }
}

/** Responds to `relay-ended` during a transfer. Null if there is none. */
export async function holdCaller(
  options: TwimlOptions,
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  number: CallbackNumber,
  call: Pick<CallRow, 'id' | 'transfer'>,
): Promise<string | null> {
  const { transfer } = call
  if (!transfer || !isUnderWay(transfer)) return null
  await changeTransfer(ctx.sql, number.orgId, call.id, { type: 'held' }, ctx.now())
  return holdTwiml(options, ctx, call.id, number, transfer)
}

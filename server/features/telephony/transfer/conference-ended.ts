import type { PublicContext } from '../../../context.ts'
import type { CallbackNumber, CarrierReply } from '../callbacks/callback.ts'
import type { CallRow } from '../calls/call-queries.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'
import { hangUp, twiml } from '../carrier/twiml.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { relayTwiml } from '../relay/relay-twiml.ts'
import { changeTransfer } from './change-transfer.ts'
import { dialOf, isUnderWay, type TransferEvent } from './states.ts'
import { farewell, holdTwiml } from './transfer-twiml.ts'

/** The response when the conference of a caller has ended, or the caller has hung up in it. */
export async function conferenceEnded(
  options: TelephonyOptions,
  ctx: PublicContext,
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

/** The event that the end of the conference means: in the state `bridged`, the target has left. */
function eventOf({ transfer }: CallRow, isGone: boolean): TransferEvent {
  if (isGone) return { type: 'caller_left' }
  const {
    n = 0,
    index = 0,
    leg,
    state,
  } = (transfer ?? {}) as { n?: number; index?: number; leg?: string; state?: string }
  return state === 'bridged'
    ? { type: 'target_ended', dial: dialOf({ n, index }), leg: leg ?? '', miss: 'refused' }
    : { type: 'caller_present' }
}

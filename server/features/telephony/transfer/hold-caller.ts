import type { PublicContext } from '../../../context.ts'
import type { CallbackNumber } from '../callbacks/callback.ts'
import type { CallRow } from '../calls/call-queries.ts'
import { changeTransfer, transferOf } from './change-transfer.ts'
import { isUnderWay } from './states.ts'
import { holdTwiml, type TwimlOptions } from './transfer-twiml.ts'

/** The response of `relay-ended` during a transfer: the caller waits. Null if the call is not being transferred. */
export async function holdCaller(
  options: TwimlOptions,
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  number: CallbackNumber,
  call: Pick<CallRow, 'id' | 'transfer'>,
): Promise<string | null> {
  const transfer = transferOf(call)
  if (!transfer || !isUnderWay(transfer)) return null
  await changeTransfer(ctx.sql, number.orgId, call.id, { type: 'held' }, ctx.now())
  return holdTwiml(options, ctx, call.id, number, transfer)
}

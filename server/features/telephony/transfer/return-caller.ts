import type { JobContext } from '../../../context.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import type { CallbackNumber } from '../callbacks/callback.ts'
import type { CallRow } from '../calls/call-queries.ts'
import type { Carrier } from '../carrier/carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { deliver } from '../relay/deliver.ts'
import { relayTwiml } from '../relay/relay-twiml.ts'
import { changeTransfer } from './change-transfer.ts'
import { MISSES } from './misses.ts'
import type { Transfer } from './states.ts'
import { updateEndReason } from './transfer-queries.ts'
import { farewell } from './transfer-twiml.ts'

interface ReturnedCall {
  call: CallRow
  transfer: Transfer
  number: CallbackNumber
  carrier: Carrier
}

/**
 * Connects the caller with the agent again, and gives the agent the reason for the failure. Without an agent, the
 * caller hears that no person is available. After a crash in between, the caller is connected again; the message is
 * stored once.
 */
export async function returnCaller(
  options: TelephonyOptions,
  ctx: JobContext,
  orgId: string,
  { call, transfer, number, carrier }: ReturnedCall,
): Promise<void> {
  const hasAgent = call.agentId !== null && call.ownerId !== null
  const twiml = hasAgent
    ? await relayTwiml(options, ctx, { orgId, id: call.id }, number)
    : farewell('unavailable', number)
  const redirected = await carrier.redirectCall(call.providerId!, twiml)
  const choices = await options.models.choices(orgId)
  await ctx.transaction(async (inside) => {
    const { sql } = inside
    const changed = await changeTransfer(sql, orgId, call.id, { type: 'returned' }, ctx.now())
    if (!changed || changed.before.isReturned || changed.after.state !== 'failed') return
    if (!hasAgent) await updateEndReason(sql, orgId, call.id, 'no_answer')
    else if (redirected.ok) await notifyAgent(choices, inside, { ...changed.call, orgId }, transfer)
  })
}

/**
 * Adds the message with the current rights of the member of the call; without rights, the next sentence of the caller
 * ends the conversation.
 */
async function notifyAgent(
  models: ModelChoices,
  ctx: JobContext,
  call: CallRow & { orgId: string },
  { targets, reason }: Transfer,
): Promise<void> {
  const text = `[The transfer of the call to ${targets.join(', ')} did not succeed: ${MISSES[reason ?? 'failed']}. The other person of the call is on the line with you again: inform them, and continue.]`
  const message = { text, body: text, authorId: null }
  await deliver(models, ctx, call, message, { connection: null, interruption: null })
}

import { createContext, type JobContext } from '../../../context.ts'
import { actingMember, deliverMessage } from '../../outside-messages/outside-messages.ts'
import type { CalledNumber } from '../callbacks/callback.ts'
import type { CallRow } from '../calls/call-queries.ts'
import type { Carrier } from '../carrier/carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { relayTwiml } from '../relay/relay-twiml.ts'
import { changeTransfer } from './change-transfer.ts'
import type { Miss, Transfer } from './states.ts'
import { updateEndReason } from './transfer-queries.ts'
import { farewell } from './transfer-twiml.ts'

const MISSES: Record<Miss, string> = {
  busy: 'the line was busy',
  no_answer: 'nobody answered',
  refused: 'the person did not take the call',
  machine: 'an answering machine answered',
  failed: 'the call could not be made',
}

interface Returned {
  call: CallRow
  transfer: Transfer
  number: CalledNumber
  carrier: Carrier
}

/**
 * The caller speaks with the agent again, which is told why nobody took the call. Without an agent, the caller hears that
 * nobody is available. After a kill in between, the caller is connected again; the message is stored once.
 */
export async function returnCaller(
  options: TelephonyOptions,
  ctx: JobContext,
  orgId: string,
  { call, transfer, number, carrier }: Returned,
): Promise<void> {
  const hasAgent = call.agentId !== null && call.ownerId !== null
  const twiml = hasAgent
    ? await relayTwiml(options, ctx, { orgId, id: call.id }, number)
    : farewell('nobody', number)
  const redirected = await carrier.redirectCall(call.providerId!, twiml)
  await ctx.transaction(async (inside) => {
    const { sql } = inside
    const changed = await changeTransfer(sql, orgId, call.id, { type: 'returned' }, ctx.now())
    if (!changed || changed.before.isReturned || changed.after.state !== 'failed') return
    if (!hasAgent) await updateEndReason(sql, orgId, call.id, 'no_answer')
    else if (redirected.ok) await tellAgent(options, inside, orgId, call, transfer)
  })
}

/** With the rights that the member of the call has now; without them the conversation ends at its next words. */
async function tellAgent(
  { models }: TelephonyOptions,
  ctx: JobContext,
  orgId: string,
  { id, projectId, agentId, ownerId, direction, from, to }: CallRow,
  { targets, reason }: Transfer,
): Promise<void> {
  const member = await actingMember(ctx.sql, orgId, { userId: ownerId!, projectId, credentialId: id })
  if (member.caller === null) return
  const text = `[The transfer of the call to ${targets.join(', ')} did not succeed: ${MISSES[reason ?? 'failed']}. The other person of the call is on the line with you again: tell them, and go on.]`
  await deliverMessage(models, createContext({ ...ctx, caller: member.caller }), {
    key: `call:${id}`,
    projectId,
    agentId: agentId!,
    title: `Call with ${direction === 'inbound' ? from : to}`,
    origin: 'call',
    trigger: 'call',
    trust: 'verified',
    content: [{ type: 'text', text }],
    body: text,
  })
}

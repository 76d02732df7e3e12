import { dictionary } from '../../../../contract/dictionary.ts'
import { changeTransfer } from '../calls/change-transfer.ts'
import { farewell } from '../calls/phrases.ts'
import { findNamedCall } from '../calls/queries.ts'
import { dialKey, type Miss, type Transfer, type TransferEvent } from '../calls/transfer-states.ts'
import { hangUp, twiml } from '../carrier/twiml.ts'
import type { TwimlOptions } from '../carrier/urls.ts'
import { recordLegCost } from '../costs/record-cost.ts'
import type { HandleCallback } from '../numbers/called-number.ts'
import { recordingNotice } from '../recordings/recording-twiml.ts'
import { briefTwiml, joinTwiml } from './transfer-twiml.ts'

const MACHINE = /^(machine|fax)/
const ACCEPT_KEY = '1'

export const briefTarget =
  (options: TwimlOptions): HandleCallback =>
  async (ctx, number, { query, fields }) => {
    const { dial = '', step } = query
    if (step === 'notice') return { twiml: twiml(recordingNotice(number)) }
    const { CallSid: leg = '', AnsweredBy = '', Digits = '' } = fields
    const isMachine = MACHINE.test(AnsweredBy)
    const event: TransferEvent =
      step !== 'key'
        ? { type: 'answered', dial, leg, isMachine }
        : { type: Digits === ACCEPT_KEY ? 'accepted' : 'refused', dial, leg }
    const call = await findNamedCall(ctx.sql, number, query)
    const changed = call && (await changeTransfer(ctx.sql, number.orgId, call.id, event, ctx.now()))
    if (isMachine) return { twiml: twiml(hangUp) }
    if (event.type === 'refused') return { twiml: farewell('declined', number) }
    if (!changed || !isLegOf(changed.after, dial, leg)) return { twiml: farewell('gone', number) }
    const { after } = changed
    // A repeated request gets the same response.
    if (after.state === 'bridged') return { twiml: joinTwiml(options, ctx, call.id, number, after) }
    const notice = call.action.record ? [recordingNotice(number)] : []
    if (after.state === 'briefing') return { twiml: briefTwiml(options, ctx, call.id, number, after, notice) }
    return { twiml: farewell('gone', number) }
  }

const isLegOf = (transfer: Transfer, dial: string, leg: string) =>
  dialKey(transfer) === dial && transfer.leg === leg

/** A target that hangs up before taking the call has refused it. */
const MISS_BY_STATUS: Readonly<Record<string, Miss>> = dictionary({
  busy: 'busy',
  'no-answer': 'no_answer',
  canceled: 'no_answer',
  failed: 'failed',
  completed: 'refused',
})

export const receiveTargetStatus: HandleCallback = async (ctx, number, { query, fields }) => {
  const { dial = '' } = query
  const { CallSid: leg = '', CallStatus = '', To: to = '', CallDuration } = fields
  const miss = MISS_BY_STATUS[CallStatus]
  const call = miss === undefined ? null : await findNamedCall(ctx.sql, number, query)
  if (!call || miss === undefined) return null
  const { orgId, id: numberId, ownerId } = number
  const now = ctx.now()
  const event = { type: 'target_ended', dial, leg, miss } as const
  await changeTransfer(ctx.sql, orgId, call.id, event, now)
  const payer = { projectId: call.projectId, agentId: call.agentId, userId: call.ownerId ?? ownerId }
  const seconds = Number(CallDuration ?? 0)
  if (seconds > 0)
    await recordLegCost(
      ctx.sql,
      orgId,
      { ...payer, callId: call.id, providerId: leg, direction: 'outbound', numberId, to, seconds },
      now,
    )
  return null
}

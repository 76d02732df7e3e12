import type { HandleCallback } from '../callbacks/callback.ts'
import { hangUp, twiml } from '../carrier/twiml.ts'
import { recordingNotice } from '../recordings/notice.ts'
import { changeTransfer } from './change-transfer.ts'
import { findNamedCall } from './named-call.ts'
import { dialOf, type Transfer, type TransferEvent } from './states.ts'
import { briefTwiml, farewell, joinTwiml, type TwimlOptions } from './transfer-twiml.ts'

/** The names of answering machines in reports: `machine_start`, `machine_end_beep`, `fax`. */
const MACHINE = /^(machine|fax)/
const ACCEPT_KEY = '1'

/** The target of a transfer answers, hears the summary of the call, and accepts it or not. */
export const briefTarget =
  (options: TwimlOptions): HandleCallback =>
  async (ctx, number, { query, fields }) => {
    const { dial = '', step } = query
    // The target of a forwarded call that is recorded.
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
    // A repeated request gets the same answer.
    if (after.state === 'bridged') return { twiml: joinTwiml(options, ctx, call.id, number, after) }
    const notice = call.action.record ? [recordingNotice(number)] : []
    if (after.state === 'briefing') return { twiml: briefTwiml(options, ctx, call.id, number, after, notice) }
    return { twiml: farewell('gone', number) }
  }

const isLegOf = (transfer: Transfer, dial: string, leg: string) =>
  dialOf(transfer) === dial && transfer.leg === leg

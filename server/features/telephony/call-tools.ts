import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { inTransaction } from '../../database/transaction.ts'
import { badField, conflict, raise } from '../../errors.ts'
import type { EngineRun, RunTool } from '../agents/runs/runs.ts'
import type { CallRow } from './calls/call.ts'
import { callColumns } from './calls/queries.ts'
import { recordEnding } from './relay/timeline.ts'
import { startTransfer } from './transfer/transfer.ts'

const TEXT_MAX = 500
const ENDED = 'The call has ended'

const endInput = z.strictObject({
  reason: z.string().min(1).max(TEXT_MAX).describe('For organization members'),
  say: z.string().min(1).max(TEXT_MAX).optional().describe('The last words, which the other person hears'),
})

const transferInput = z.strictObject({
  target: z.string().max(16).optional().describe('One of the numbers; default: all, one after the other'),
  reason: z.string().min(1).max(TEXT_MAX).describe('What the colleague hears before the call is connected'),
})

const languageInput = z.strictObject({
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'must be a language such as en-US')
    .describe('Such as `de-DE`'),
})

const digitsInput = z.strictObject({
  digits: z
    .string()
    .regex(/^[0-9*#w]{1,32}$/, 'must be digits, *, # and w, which waits half a second')
    .describe('The keys to press in a phone menu; `w` waits half a second'),
})

/** Need no approval: a person on the phone could do the same. */
export async function loadCallTools(
  { sql, now }: Pick<JobContext, 'sql' | 'now'>,
  run: Pick<EngineRun, 'orgId' | 'sessionId' | 'trigger'>,
): Promise<RunTool[]> {
  if (run.trigger !== 'call') return []
  const call = await findOpenCall(sql, run.orgId, run.sessionId)
  if (!call) return []
  const targets = call.action.targets ?? []
  const transfer = targets.length > 0 ? [transferCall(targets, now)] : []
  const digits = call.provider === 'browser' ? [] : [sendDigits]
  return [endCall(now), ...digits, switchLanguage, ...transfer] as unknown as RunTool[]
}

const endCall = (now: () => Date): RunTool<z.output<typeof endInput>> => ({
  name: 'end_call',
  description: 'End the call. Use it when the conversation is complete, or the other person wants to end it.',
  input: endInput,
  effect: 'idempotent',
  risk: 'none',
  summarize: ({ reason }) => `End the call: ${reason}`,
  async run({ sql, run }, { reason, say = null }) {
    const call = (await findOpenCall(sql, run.orgId, run.sessionId)) ?? raise(conflict(ENDED))
    await recordEnding(sql, run.orgId, call.id, { reason: 'agent_ended', say }, now())
    return { ended: true, reason, say }
  },
})

/** Only to numbers listed in the call's rule. The other party can't add one. */
const transferCall = (
  targets: readonly string[],
  now: () => Date,
): RunTool<z.output<typeof transferInput>> => ({
  name: 'transfer_call',
  description: `Connect the other person on the phone call with a colleague. Use it when you cannot help, or the other person asks for a person. Announce it first. Numbers: ${targets.join(', ')}.`,
  input: transferInput,
  effect: 'once',
  risk: 'none',
  summarize: ({ reason }) => `Transfer the call: ${reason}`,
  async run({ sql, run }, { target, reason }) {
    if (target !== undefined && !targets.includes(target))
      throw badField('target', `must be one of ${targets.join(', ')}`)
    const call = (await findOpenCall(sql, run.orgId, run.sessionId)) ?? raise(conflict(ENDED))
    const request = {
      targets: target === undefined ? targets : [target],
      summary: reason,
      requestedBy: null,
      isHandedOff: true,
    }
    const ctx = {
      now,
      transaction: <T>(work: (inside: { sql: Sql }) => Promise<T>) =>
        inTransaction(sql, (inside) => work({ sql: inside })),
    }
    await startTransfer(ctx, run.orgId, call.id, request)
    return {
      transferred: 'The call is being transferred. If no one answers, the other person returns to you.',
    }
  },
})

const switchLanguage: RunTool<z.output<typeof languageInput>> = {
  name: 'switch_language',
  description: 'Speak and listen in another language from now on. Use it when the other person prefers one.',
  input: languageInput,
  effect: 'idempotent',
  risk: 'none',
  run: async (_, { language }) => ({ language }),
}

const sendDigits: RunTool<z.output<typeof digitsInput>> = {
  name: 'send_digits',
  description: 'Press phone keys. Use it when a menu asks for them.',
  input: digitsInput,
  effect: 'once',
  risk: 'none',
  run: async (_, { digits }) => ({ digits }),
}

async function findOpenCall(sql: Sql, orgId: string, sessionId: string): Promise<CallRow | null> {
  const [row] = await sql<CallRow[]>`
    select ${callColumns(sql)} from calls c
    where c.org_id = ${orgId} and c.session_id = ${sessionId} and c.provider in ('twilio', 'browser')
      and c.ended_at is null`
  return row ?? null
}

import type { JobContext, PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { findLastAnswer } from '../../agents/conversations/conversations.ts'
import type { CallRow } from '../calls/call.ts'
import { lockCall } from '../calls/queries.ts'
import { recordEntry } from '../calls/record.ts'
import { isReachable } from '../carrier/destination.ts'
import { findSendingNumber } from '../sms/send/queries.ts'
import { queueSms } from '../sms/send/queue-sms.ts'
import { splitText } from '../sms/split-text.ts'
import { resultsDue } from './voice-calls.ts'

export interface NewTask {
  id: string
  voiceAgentId: string
  callId: string
  toolCallId: string | null
  runId: string
  bySms: boolean
  now: Date
}

export async function findTaskRun(
  sql: Sql,
  orgId: string,
  voiceAgentId: string,
  toolCallId: string,
): Promise<string | null> {
  const [row] = await sql<{ runId: string }[]>`
    select run_id as "runId" from voice_tasks
    where org_id = ${orgId} and voice_agent_id = ${voiceAgentId} and tool_call_id = ${toolCallId}`
  return row?.runId ?? null
}

export const insertTask = (sql: Sql, orgId: string, task: NewTask) => sql`
  insert into voice_tasks (org_id, id, voice_agent_id, call_id, tool_call_id, run_id, by_sms, created_at)
  values (${orgId}, ${task.id}, ${task.voiceAgentId}, ${task.callId}, ${task.toolCallId}, ${task.runId}, ${task.bySms},
    ${task.now})`

export async function findCallOfRun(sql: Sql, orgId: string, runId: string): Promise<string | null> {
  const [row] = await sql<{ callId: string }[]>`
    select call_id as "callId" from voice_tasks
    where org_id = ${orgId} and run_id = ${runId} and reported_at is null limit 1`
  return row?.callId ?? null
}

export interface EndedTask {
  runId: string
  status: 'succeeded' | 'failed' | 'canceled'
  bySms: boolean
  /** Its answer is then for the member. */
  hasMember: boolean
}

/** With unreported results, one per run. */
export async function lockEndedTasks(sql: Sql, orgId: string, callId: string): Promise<EndedTask[]> {
  const rows = await sql<EndedTask[]>`
    select t.run_id as "runId", r.status, t.by_sms as "bySms", exists (
      select from messages m
      where m.org_id = r.org_id and m.run_id = r.id and m.role = 'user' and m.author_id is not null) as "hasMember"
    from voice_tasks t join runs r on r.org_id = t.org_id and r.id = t.run_id
    where t.org_id = ${orgId} and t.call_id = ${callId} and t.reported_at is null
      and r.status in ('succeeded', 'failed', 'canceled')
    order by t.id for update of t`
  const runs = [...new Set(rows.map(({ runId }) => runId))]
  return runs.map((runId) => {
    const tasks = rows.filter((row) => row.runId === runId)
    return { ...tasks[0]!, bySms: tasks.some(({ bySms }) => bySms) }
  })
}

export const updateReported = (sql: Sql, orgId: string, callId: string, runIds: string[], now: Date) => sql`
  update voice_tasks set reported_at = ${now}
  where org_id = ${orgId} and call_id = ${callId} and run_id = any(${runIds}::uuid[]) and reported_at is null`

export interface Result {
  runId: string
  text: string
  bySms: boolean
}

const TEXT_MAX = 1000

/** Marks results as reported. `select` picks those that can be reported now. */
export async function takeResults(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  callId: string,
  select: (task: EndedTask) => boolean = () => true,
): Promise<Result[]> {
  const tasks = (await lockEndedTasks(sql, orgId, callId)).filter(select)
  const results: Result[] = []
  for (const { runId, status, bySms, hasMember } of tasks) {
    const answer = status === 'succeeded' && !hasMember ? await findLastAnswer(sql, orgId, runId) : null
    const text = answer?.trim().slice(0, TEXT_MAX) || (hasMember ? TAKEN_OVER : FAILED)
    results.push({ runId, bySms, text })
  }
  if (tasks.length > 0)
    await updateReported(
      sql,
      orgId,
      callId,
      tasks.map(({ runId }) => runId),
      now(),
    )
  return results
}

const TAKEN_OVER = 'A colleague is taking care of this.'
const FAILED = 'I am sorry, this could not be done.'

export async function enqueueResults(ctx: JobContext, { orgId, runId }: { orgId: string; runId: string }) {
  const callId = await findCallOfRun(ctx.sql, orgId, runId)
  if (callId !== null) await ctx.enqueue(resultsDue, { orgId, callId })
}

/**
 * Only for callers who hung up and agreed to texts. During a call, results come with the next answer, because
 * ElevenLabs accepts no text mid-call.
 */
export const reportResults = (
  ctx: JobContext,
  { orgId, callId }: { orgId: string; callId: string },
): Promise<void> =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const call = await lockCall(sql, orgId, callId)
    if (!call || call.endedAt === null) return
    for (const result of await takeResults(inside, orgId, callId, ({ bySms }) => bySms)) {
      const problem = await textCaller(inside, orgId, call, result)
      const type = problem === null ? 'result_sent' : 'result_not_sent'
      await recordEntry(sql, orgId, callId, { at: inside.now(), type, detail: problem })
    }
  })

/** Returns the refusal reason, or null if queued. */
async function textCaller(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  { numberId, direction, from, to, ownerId, agentId, sessionId }: CallRow,
  { runId, text }: { runId: string; text: string },
): Promise<string | null> {
  const peer = direction === 'inbound' ? from : to
  const number = numberId === null ? null : await findSendingNumber(sql, orgId, numberId)
  if (!number?.capabilities.sms || ownerId === null) return 'The call’s number cannot send text messages.'
  if (!isReachable(peer)) return 'The caller’s number is not known.'
  for (const body of splitText(text)) {
    const { refusal } = await queueSms(
      sql,
      orgId,
      { number, to: peer, body, purpose: 'reply', createdBy: ownerId, agentId, sessionId, runId },
      now(),
    )
    if (refusal) return `${refusal.message}.`
  }
  return null
}

import type { Sql } from '../../../database/database.ts'

export interface NewTask {
  id: string
  voiceAgentId: string
  callId: string
  toolCallId: string | null
  runId: string
  bySms: boolean
  now: Date
}

/** The run of a request that was made before with this id; null if there was none. */
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

/** The call during which a run was queued; null if the run belongs to no call. */
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
  /** A member took part in the run: its answer is for the member. */
  hasMember: boolean
}

/** The tasks of a call whose runs have ended and whose results were not reported to the caller, locked; one per run. */
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

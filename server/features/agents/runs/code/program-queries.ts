import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import type { ConsoleLine } from '../../../../sandbox/sandbox.ts'
import { type CallOutcome, type CallRow, callColumns, endCall, isOpen } from '../calls/call-queries.ts'
import { finishedEvent } from '../calls/end-calls.ts'
import { reportApprovals } from '../children/report.ts'
import { append } from '../state/lease.ts'
import type { EngineRun } from '../state/run-row.ts'

export interface StoredCall extends CallRow {
  handed: number | null
  finishedAt: string | null
}

interface StoredProgram {
  startedAt: string
  lineCount: number
  calls: StoredCall[]
}

type Place = Pick<CallRow, 'step' | 'ordinal'>

export async function readProgram(
  sql: Sql,
  { orgId, id }: EngineRun,
  { step, ordinal }: Place,
): Promise<StoredProgram> {
  const [[program], calls] = await Promise.all([
    sql<Omit<StoredProgram, 'calls'>[]>`
      select started_at as "startedAt", coalesce(jsonb_array_length(console), 0) as "lineCount" from run_calls
      where org_id = ${orgId} and run_id = ${id} and step = ${step} and ordinal = ${ordinal}`,
    sql<StoredCall[]>`
      select ${callColumns(sql)}, handed, finished_at as "finishedAt" from run_calls
      where org_id = ${orgId} and run_id = ${id} and step = ${step} and parent = ${ordinal} order by ordinal`,
  ])
  return { ...program!, calls }
}

/** Part of the statement that checks the lease. */
export const addConsoleCte = (
  sql: Sql,
  { step, ordinal }: Place,
  lines: readonly ConsoleLine[],
): Fragment => sql`
  console as (
    update run_calls c set console = coalesce(c.console, '[]') || ${sql.json(lines as never)} from run
    where c.org_id = run.org_id and c.run_id = run.id and c.step = ${step} and c.ordinal = ${ordinal}
  )`

/** In the order of the list, after `count` earlier ones. */
export const storeHanded = (
  sql: Sql,
  { orgId, id }: EngineRun,
  { step }: Place,
  ordinals: readonly number[],
  count: number,
) => sql`
  update run_calls c set handed = ${count} + h.position
  from unnest(${[...ordinals]}::int[]) with ordinality as h (ordinal, position)
  where c.org_id = ${orgId} and c.run_id = ${id} and c.step = ${step} and c.ordinal = h.ordinal`

/** Part of the statement that checks the lease. */
export const suspendCte = (sql: Sql, { step, ordinal }: Place): Fragment => sql`
  call as (
    update run_calls c set state = 'waiting' from run
    where c.org_id = run.org_id and c.run_id = run.id and c.step = ${step} and c.ordinal = ${ordinal}
  )`

const ENDED: CallOutcome = { state: 'canceled', output: { error: 'The program ended' } }

/** A program that ends in an error leaves no call open. In a transaction. */
export async function endProgramCalls(
  sql: Sql,
  run: EngineRun,
  { step, ordinal }: Place,
  now: Date,
): Promise<void> {
  await append(sql, run, [], now)
  const calls = await sql<CallRow[]>`
    select ${callColumns(sql)} from run_calls
    where org_id = ${run.orgId} and run_id = ${run.id} and step = ${step} and parent = ${ordinal}`
  const events: RunEvent[] = []
  for (const call of calls.filter(isOpen)) {
    await endCall(sql, run, call, ENDED, now)
    events.push(finishedEvent(call, ENDED))
  }
  if (events.length === 0) return
  const canceled = await sql<{ id: string }[]>`
    update approvals a set decision = 'canceled', decided_at = ${now}
    from run_calls c
    where a.org_id = ${run.orgId} and a.run_id = ${run.id} and a.step = ${step} and a.decision is null
      and c.org_id = a.org_id and c.run_id = a.run_id and c.step = a.step and c.ordinal = a.ordinal
      and c.parent = ${ordinal}
    returning a.id`
  for (const { id } of canceled)
    events.push({
      type: 'approval.decided',
      data: { approvalId: id, decision: 'canceled', decidedBy: null },
    })
  await append(sql, run, events, now)
  await reportApprovals(sql, run, events, now)
}

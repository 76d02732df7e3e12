import type { Sql } from '../../../../database/database.ts'
import { type EngineRun, engineColumns } from '../state/run-row.ts'

/** Locks the tree, so that two runs can't both start the last one. */
export async function countStarted(
  sql: Sql,
  { orgId, id }: Pick<EngineRun, 'orgId' | 'id'>,
): Promise<number> {
  const [root] = await sql<{ id: string }[]>`
    with recursive up as (
      select id, parent_run_id from runs where org_id = ${orgId} and id = ${id}
      union all
      select p.id, p.parent_run_id from up join runs p on p.org_id = ${orgId} and p.id = up.parent_run_id
    )
    select id from up where parent_run_id is null`
  await sql`select pg_advisory_xact_lock(hashtextextended(${`run tree ${orgId} ${root!.id}`}, 0))`
  const [row] = await sql<{ count: number }[]>`
    with recursive tree as (
      select id, parent_step from runs where org_id = ${orgId} and id = ${root!.id}
      union all
      select c.id, c.parent_step from tree t join runs c on c.org_id = ${orgId} and c.parent_run_id = t.id
    )
    select count(*)::int from tree where parent_step is not null`
  return row!.count
}

export interface WaitingCall {
  step: number
  ordinal: number
  callId: string
  tool: string
  parent: number | null
}

/**
 * For a transaction that reports to them and changes the project: a calling run locks itself before the project. After
 * the run's own lock, and upwards.
 */
export async function lockAncestors(sql: Sql, { orgId, parentRunId }: EngineRun): Promise<void> {
  if (parentRunId === null) return
  await sql`
    with recursive up as (
      select id, parent_run_id, depth from runs where org_id = ${orgId} and id = ${parentRunId}
      union all
      select p.id, p.parent_run_id, p.depth from up join runs p on p.org_id = ${orgId} and p.id = up.parent_run_id
    )
    select from runs where org_id = ${orgId} and id in (select id from up) order by depth desc for no key update`
}

/** Returns null if the parent has ended. A transaction locks a run before its parent. */
export async function lockParent(sql: Sql, { orgId, parentRunId, parentStep, parentOrdinal }: EngineRun) {
  if (parentRunId === null) return null
  const [parent] = await sql<EngineRun[]>`
    select ${engineColumns(sql)} from runs r
    where r.org_id = ${orgId} and r.id = ${parentRunId} and r.status in ('queued', 'running', 'waiting') for update`
  if (!parent) return null
  const [call] = await sql<WaitingCall[]>`
    select step, ordinal, call_id as "callId", tool, parent from run_calls
    where org_id = ${orgId} and run_id = ${parentRunId} and step = ${parentStep} and ordinal = ${parentOrdinal}
      and state = 'waiting'`
  return { parent, call: call ?? null }
}

export async function listActiveChildren(sql: Sql, orgId: string, runId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from runs
    where org_id = ${orgId} and parent_run_id = ${runId} and status in ('queued', 'running', 'waiting') order by id`
  return rows.map(({ id }) => id)
}

/** Descendants, deepest first. */
export async function listAwaitingDecision(sql: Sql, orgId: string, runId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive tree as (
      select id, depth from runs where org_id = ${orgId} and parent_run_id = ${runId} and parent_step is not null
      union all
      select c.id, c.depth from tree t join runs c on c.org_id = ${orgId} and c.parent_run_id = t.id
    )
    select t.id from tree t
    where exists (select from approvals a where a.org_id = ${orgId} and a.run_id = t.id and a.decision is null)
    order by t.depth desc, t.id`
  return rows.map(({ id }) => id)
}

export const moveChildren = (sql: Sql, orgId: string, from: string, to: string) => sql`
  update runs set parent_run_id = ${to} where org_id = ${orgId} and parent_run_id = ${from}`

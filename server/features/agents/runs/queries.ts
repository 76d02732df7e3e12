import type { z } from 'zod'
import type { Run } from '../../../../contract/canvas/runs.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import type { Trust } from '../../../tools/tool.ts'

export interface RunRow extends Omit<z.output<typeof Run>, 'cost'> {
  cost: string
  /** Null if an external program reports the run. */
  agentId: string | null
}
type Status = RunRow['status']

const columns = (sql: Sql) => sql`
  r.id, r.project_id as "projectId", r.title, r.status, r.error, r.cost, r.created_by as "createdBy",
  r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt",
  r.restored_at as "restoredAt", r.agent_id as "agentId"`

export async function insertRun(
  sql: Sql,
  orgId: string,
  projectId: string,
  run: { id: string; title: string | null; status: Status; createdBy: string; now: Date },
) {
  const [row] = await sql<RunRow[]>`
    insert into runs as r (org_id, id, project_id, title, status, created_by, created_at, started_at)
    values (${orgId}, ${run.id}, ${projectId}, ${run.title}, ${run.status}, ${run.createdBy}, ${run.now},
      ${run.status === 'running' ? run.now : null})
    returning ${columns(sql)}`
  return row!
}

export async function findRun(sql: Sql, orgId: string, projectId: string, id: string) {
  const [row] = await sql<RunRow[]>`
    select ${columns(sql)} from runs r
    where r.org_id = ${orgId} and r.project_id = ${projectId} and r.id = ${id}`
  return row ?? null
}

export async function listRuns(
  sql: Sql,
  orgId: string,
  projectId: string,
  { status, before, limit }: { status: Status | undefined; before: string | null; limit: number },
) {
  return sql<RunRow[]>`
    select ${columns(sql)} from runs r
    where r.org_id = ${orgId} and r.project_id = ${projectId} and ${status ? sql`r.status = ${status}` : sql`true`}
      and ${before ? sql`r.id < ${before}` : sql`true`}
    order by r.id desc limit ${limit}`
}

/** Adds the increase to the project's spend. */
export async function updateRun(
  sql: Sql,
  orgId: string,
  projectId: string,
  change: {
    runId: string
    status: Status
    error: string | null | undefined
    cost: string | undefined
    now: Date
  },
) {
  const { runId, status, error, cost = null, now } = change
  const [row] = await sql<RunRow[]>`
    with before as (
      select cost from runs where org_id = ${orgId} and id = ${runId}
    ), r as (
      update runs set status = ${status}, error = ${error === undefined ? sql`error` : error},
        cost = coalesce(${cost}::numeric, cost),
        started_at = case when ${status}::text = 'running' then coalesce(started_at, ${now}) else started_at end,
        finished_at = case when ${status}::text <> 'running' then ${now}::timestamptz end
      where org_id = ${orgId} and project_id = ${projectId} and id = ${runId}
      returning *
    ), spent as (
      update projects p set spend = spend + r.cost - before.cost from r, before
      where p.org_id = ${orgId} and p.id = ${projectId} and r.cost <> before.cost
    )
    select ${columns(sql)} from r`
  return row!
}

export async function findLastFailed(sql: Sql, orgId: string, projectId: string) {
  const [row] = await sql<RunRow[]>`
    select ${columns(sql)} from runs r
    where r.org_id = ${orgId} and r.project_id = ${projectId} and r.status = 'failed'
    order by r.id desc limit 1`
  return row ?? null
}

export async function hasRunning(sql: Sql, orgId: string, projectId: string): Promise<boolean> {
  const [row] = await sql`
    select from runs r where r.org_id = ${orgId} and r.project_id = ${projectId} and r.status = 'running' limit 1`
  return row !== undefined
}

/** A null project means any. */
export async function isRunning(
  sql: Sql,
  orgId: string,
  projectId: string | null,
  runId: string,
): Promise<boolean> {
  const [row] = await sql`
    select from runs
    where org_id = ${orgId} and id = ${runId} and status = 'running'
      and (${projectId}::uuid is null or project_id = ${projectId})`
  return row !== undefined
}

/** Only an externally reported run that this user started. */
export async function findOpenRun(sql: Sql, orgId: string, { id, userId }: { id: string; userId: string }) {
  const [row] = await sql<{ id: string; projectId: string; trust: Trust }[]>`
    select r.id, r.project_id as "projectId", r.trust from runs r
    join projects p on p.org_id = r.org_id and p.id = r.project_id and p.deleted_at is null
    where r.org_id = ${orgId} and r.id = ${id} and r.created_by = ${userId} and r.agent_id is null
      and r.undo_of is null and r.status = 'running'`
  return row ?? null
}

/** Suspended time doesn't count toward limits. */
export async function postponeDeadlines(sql: Sql, orgId: string, since: Date, until: Date): Promise<void> {
  const pauseAfter = (begin: Fragment) =>
    sql`greatest(interval '0', ${until}::timestamptz - greatest(${since}::timestamptz, ${begin}))`
  await sql`
    update runs set deadline_at = deadline_at + ${pauseAfter(sql`created_at`)}
    where org_id = ${orgId} and status in ('queued', 'running', 'waiting') and deadline_at is not null`
  await sql`
    update approvals set expires_at = expires_at + ${pauseAfter(sql`requested_at`)}
    where org_id = ${orgId} and decision is null`
}

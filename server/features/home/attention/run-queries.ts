import { HOME_LIMITS } from '../../../../contract/home/home-options.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { projectAccess, projectById } from '../../projects/access/access.ts'
import type { ProjectName } from './entry.ts'

/** One more than the page shows, to detect further entries. */
const LIST_LIMIT = HOME_LIMITS.attention + 1
/** Of the newest open approvals; a member may see few of them. */
const APPROVALS_READ = 200
const FAILED_READ = 30

export interface OpenApproval extends ProjectName {
  id: string
  kind: 'approval' | 'input'
  summary: string
  agentName: string | null
  at: string
}

/** The newest open approvals and questions that the caller may decide, at most six of each kind. */
export const listDecidable = (sql: Sql, caller: Caller) => sql<OpenApproval[]>`
  select d.id, d.kind, d.summary, d.requested_at as at, d."projectId", d."projectName",
    ${agentName(sql, sql`d.org_id`, sql`d.agent_id`)} as "agentName"
  from (
    select a.*, p.id as "projectId", p.name as "projectName", row_number() over (partition by a.kind order by a.id desc) as n
    from (
      select a.* from approvals a where a.org_id = ${caller.orgId} and a.decision is null
      order by a.id desc limit ${APPROVALS_READ}
    ) a
    cross join lateral ${projectById(sql, caller.orgId, sql`a.project_id`)} p
    where p.deleted_at is null and ${projectAccess(sql, caller)} = 'edit'
  ) d where d.n <= ${LIST_LIMIT} order by d.id desc`

const agentName = (sql: Sql, orgId: Fragment, agentId: Fragment): Fragment => sql`(
  select g.name from agents g where g.org_id = ${orgId} and g.id = any(array[${agentId}]) order by g.id limit 1)`

export interface FailedRun extends ProjectName {
  id: string
  title: string | null
  error: string | null
  agentName: string | null
  at: string
}

/**
 * The newest failed runs of the caller, without those that a newer run of their session or schedule has replaced. A
 * limited number of runs is read before the other conditions apply: otherwise the scan could continue to the oldest
 * run.
 */
export const listFailedRuns = (sql: Sql, caller: Caller, since: Date) => sql<FailedRun[]>`
  select r.id, r.title, r.error, r.finished_at as at, p.id as "projectId", p.name as "projectName",
    ${agentName(sql, sql`r.org_id`, sql`r.agent_id`)} as "agentName"
  from (
    select r.* from runs r
    where r.org_id = ${caller.orgId} and r.created_by = any(array[${caller.userId}]::uuid[]) and r.status = 'failed'
      and r.agent_id is not null and r.parent_run_id is null
    order by r.created_by, r.id desc limit ${FAILED_READ}
  ) r
  cross join lateral ${projectById(sql, caller.orgId, sql`r.project_id`)} p
  where r.finished_at > ${since} and p.deleted_at is null and ${projectAccess(sql, caller)} is not null
    and not ${isDismissed(sql, caller, sql`'run:' || r.id`)}
    and not ${hasNewer(sql, 'session_id')} and not ${hasNewer(sql, 'schedule_id')}
  order by r.id desc limit ${LIST_LIMIT}`

/** Whether the session or the schedule of the run `r` has a newer run; false if it has none. */
const hasNewer = (sql: Sql, column: 'session_id' | 'schedule_id'): Fragment => sql`coalesce((
  select n.id > r.id from runs n where n.org_id = r.org_id and n.${sql(column)} = r.${sql(column)}
  order by n.id desc limit 1), false)`

/** Whether the caller dismissed the entry with this key. */
export const isDismissed = (sql: Sql, { orgId, userId }: Caller, key: Fragment): Fragment => sql`exists (
  select from home_dismissed h where h.org_id = ${orgId} and h.user_id = ${userId} and h.key = ${key})`

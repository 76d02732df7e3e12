import type { z } from 'zod'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { Approval } from '../../../../contract/agents/approvals.ts'
import { HOME_LIMITS } from '../../../../contract/home/home-options.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible, projectAccess, projectById } from '../../projects/access/access.ts'

const LIST_LIMIT = HOME_LIMITS.attention + 1
/** A quota limits each member's connections. */
const CONNECTIONS_READ = 200
const DELIVERIES_READ = 21

export interface WaitingPayment extends ProjectName {
  id: string
  amount: string
  currency: string
  reason: string | null
  at: string
}

export const listWaitingPayments = (sql: Sql, caller: Caller) => sql<WaitingPayment[]>`
  select m.id, m.amount, m.currency, m.reason, m.created_at as at, m.project_id as "projectId", (
      select named.name from projects named
      where named.org_id = ${caller.orgId} and named.id = any(array[m.project_id]) and ${isProjectVisible(sql, caller, sql`named.id`)}
      order by named.id limit 1) as "projectName"
  from machine_payments m
  where m.org_id = ${caller.orgId} and m.status = 'requires_approval'
  order by m.id desc limit ${LIST_LIMIT}`

export interface WebhookProblem {
  id: string
  name: string
  state: 'disabled' | 'failing' | 'held' | 'failed'
  count: number
  reason: string | null
  at: string
}

/**
 * For owners and admins: webhooks that are disabled by the server, failing, paused with held events, or with failed
 * deliveries since this time. Reads only a few deliveries per webhook.
 */
export const listWebhookProblems = (sql: Sql, { orgId }: Caller, since: Date) => {
  const newest = (status: 'failed' | 'held') => sql`(
    select count(*)::int as count, max(d.at) as at from (
      select coalesce(d.completed_at, d.created_at) as at from deliveries d
      where d.org_id = w.org_id and d.webhook_id = w.id and d.status = ${status}
      order by d.id desc limit ${DELIVERIES_READ}
    ) d ${status === 'failed' ? sql`where d.at > ${since}` : sql``})`
  return sql<WebhookProblem[]>`
    select w.id, w.name, s.state, case s.state when 'held' then h.count when 'failed' then f.count else 0 end as count,
      case when s.state = 'disabled' then w.disabled_reason end as reason, case s.state
        when 'disabled' then w.updated_at when 'failing' then w.failing_since when 'held' then h.at else f.at end as at
    from webhooks w
    cross join lateral ${newest('failed')} f cross join lateral ${newest('held')} h
    cross join lateral (select case
      when w.status = 'disabled' and w.disabled_reason is not null then 'disabled'
      when w.status = 'active' and w.failing_since is not null then 'failing'
      when w.status = 'paused' and h.count > 0 then 'held'
      when w.status <> 'disabled' and f.count > 0 then 'failed' end as state) s
    where w.org_id = ${orgId} and s.state is not null order by at desc, w.id desc`
}

export interface BrokenConnection {
  id: string
  slug: string
  label: string | null
  status: 'expired' | 'error' | 'active'
  reason: string | null
  expiresAt: string | null
  at: string
}

/** Includes connections that end soon and that only the caller can renew. */
export const listBrokenConnections = (sql: Sql, { orgId, userId }: Caller, expiresBefore: Date) => sql<
  BrokenConnection[]
>`
  select c.id, c.connector_slug as slug, c.label, c.status, c.status_reason as reason, c.expires_at as "expiresAt",
    c.updated_at as at
  from (
    select c.* from connections c where c.org_id = ${orgId} and c.user_id = any(array[${userId}]::uuid[]) and c.deleted_at is null
    order by c.user_id, c.created_at desc, c.id desc limit ${CONNECTIONS_READ}
  ) c
  where (c.status in ('expired', 'error')
      or c.status = 'active' and c.refresh_due_at is null and c.expires_at < ${expiresBefore})
  order by c.updated_at desc limit ${LIST_LIMIT}`

/** Null without a project, or if the caller doesn't see it. */
export interface ProjectName {
  projectId: string | null
  projectName: string | null
}

const APPROVALS_READ = 200
const FAILED_READ = 30

export interface OpenApproval extends ProjectName {
  id: string
  kind: 'approval' | 'input'
  summary: string
  risk: z.output<typeof Approval>['risk']
  agentId: string
  agentName: string | null
  at: string
  startedBy: string
  /** Null after the user left. */
  starterRole: Role | null
}

export const listDecidable = (sql: Sql, caller: Caller) => sql<OpenApproval[]>`
  select d.id, d.kind, d.summary, d.risk, d.requested_at as at, d."projectId", d."projectName", d.agent_id as "agentId",
    r.created_by as "startedBy", (
      select m.role from memberships m where m.org_id = ${caller.orgId} and m.user_id = any(array[r.created_by])
      order by m.user_id limit 1) as "starterRole",
    ${agentName(sql, sql`d.org_id`, sql`d.agent_id`)} as "agentName"
  from (
    select a.*, p.id as "projectId", p.name as "projectName", row_number() over (partition by a.kind order by a.id desc) as n
    from (
      select a.* from approvals a where a.org_id = ${caller.orgId} and a.decision is null
      order by a.id desc limit ${APPROVALS_READ}
    ) a
    cross join lateral ${projectById(sql, caller.orgId, sql`a.project_id`)} p
    where p.deleted_at is null and ${projectAccess(sql, caller)} = 'edit'
  ) d cross join lateral (
    select r.* from runs r where r.org_id = ${caller.orgId} and r.id = any(array[d.run_id]) order by r.id limit 1
  ) r
  where d.n <= ${LIST_LIMIT} order by d.id desc`

const agentName = (sql: Sql, orgId: Fragment, agentId: Fragment): Fragment => sql`(
  select g.name from agents g where g.org_id = ${orgId} and g.id = any(array[${agentId}]) order by g.id limit 1)`

export interface FailedRun extends ProjectName {
  id: string
  title: string | null
  error: string | null
  agentId: string
  agentName: string | null
  at: string
}

/**
 * Excludes runs replaced by a newer run in their session or schedule. Limits the runs read before other conditions
 * apply. Otherwise the scan could continue to the oldest run.
 */
export const listFailedRuns = (sql: Sql, caller: Caller, since: Date) => sql<FailedRun[]>`
  select r.id, r.title, r.error, r.agent_id as "agentId", r.finished_at as at, p.id as "projectId", p.name as "projectName",
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

const hasNewer = (sql: Sql, column: 'session_id' | 'schedule_id'): Fragment => sql`coalesce((
  select n.id > r.id from runs n where n.org_id = r.org_id and n.${sql(column)} = r.${sql(column)}
  order by n.id desc limit 1), false)`

export const isDismissed = (sql: Sql, { orgId, userId }: Caller, key: Fragment): Fragment => sql`exists (
  select from home_dismissed h where h.org_id = ${orgId} and h.user_id = ${userId} and h.key = ${key})`

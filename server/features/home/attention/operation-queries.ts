import { HOME_LIMITS } from '../../../../contract/home/home-options.ts'
import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { isProjectVisible } from '../../projects/access/access.ts'
import type { ProjectName } from './entry.ts'

const LIST_LIMIT = HOME_LIMITS.attention + 1
/** A quota limits the connections of a person. */
const CONNECTIONS_READ = 200
/** Deliveries of each webhook that are counted. */
const DELIVERIES_READ = 21

export interface WaitingPayment extends ProjectName {
  id: string
  amount: string
  currency: string
  reason: string | null
  at: string
}

/** For owners and admins: payments that wait for their decision. A project that the caller does not see has no name. */
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
  /** Of held and failed deliveries, at most 21. */
  count: number
  reason: string | null
  at: string
}

/**
 * For owners and admins: webhooks that the server disabled, whose endpoint fails, that hold events while they are paused, or
 * whose deliveries failed since a time. An organization has few webhooks, and of each a few deliveries are read.
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

/** The connections of the caller that do not work, or that end soon and cannot be renewed without the caller. */
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

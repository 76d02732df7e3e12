import { QUOTAS, type QuotaName } from '../../contract/quotas.ts'
import type { Fragment, Sql } from '../database/database.ts'

/** Counted when checked: their rows are few and rarely written. Only projects have a counter, as there may be many. */
export type CountedQuota =
  | 'projects'
  | 'agents'
  | 'skills'
  | 'schedules'
  | 'webhooks'
  | 'keys'
  | 'providers'
  | 'guardrails'
  | 'payments'
  | 'mcp'
  | 'connections'
  | 'invites'
/** Checked against a count in memory, because their rows are written often. */
export const METERED = [
  'files',
  'storage',
  'blocks',
  'history',
  'events',
  'memories',
  'tableRows',
  'tableBytes',
] as const
export type MeteredQuota = (typeof METERED)[number]

export type Amounts = Partial<Record<MeteredQuota, number>>

interface MeterReading {
  used: Record<MeteredQuota, number>
  overrides: Record<string, number>
  rows: number
}

export async function readMeter(sql: Sql, orgId: string): Promise<MeterReading> {
  const [row] = await sql<(Record<MeteredQuota, number> & Omit<MeterReading, 'used'>)[]>`
    select u.*, ${selectOverrides(sql, orgId)} as overrides
    from (
      select count(*) as rows,
        ${amountOf(sql, 'files')} as files, ${amountOf(sql, 'storage')} as storage, ${amountOf(sql, 'blocks')} as blocks,
        ${amountOf(sql, 'history')} as history, ${amountOf(sql, 'events')} as events, ${amountOf(sql, 'memories')} as memories,
        ${amountOf(sql, 'tableRows')} as "tableRows", ${amountOf(sql, 'tableBytes')} as "tableBytes"
      from quota_usage where org_id = ${orgId}
    ) u`
  const { overrides, rows, ...used } = row!
  return { used, overrides, rows }
}

const amountOf = (sql: Sql, quota: MeteredQuota): Fragment =>
  sql`greatest(0, coalesce(sum(amount) filter (where quota = ${quota}), 0))::bigint`

/** Dropping a partition fires no trigger. `kept_rows` are reinserted uncounted. */
export const countDroppedEvents = (sql: Sql, partition: string) => sql`
  insert into quota_usage (org_id, quota, amount)
  select org_id, 'events', sum(amount) from (
    select org_id, -count(*) as amount from ${sql(partition)} group by org_id union all
    select org_id, count(*) from kept_rows group by org_id
  ) changed group by org_id`

/** Skips rows another process is folding. */
export async function foldUsage(sql: Sql, orgId: string): Promise<void> {
  await sql`
    with folded as (
      delete from quota_usage where ctid = any(array(
        select ctid from quota_usage where org_id = ${orgId} for update skip locked))
      returning quota, amount
    )
    insert into quota_usage (org_id, quota, amount)
    select ${orgId}, quota, sum(amount) from folded group by quota`
}

export async function lockQuota(sql: Sql, orgId: string, quota: CountedQuota): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${quota} ${orgId}`}, 0))`
}

export async function countUsed(sql: Sql, orgId: string, quota: CountedQuota, now: Date) {
  const [row] = await sql<{ used: number; override: number | null }[]>`
    select (${counts[quota](sql, orgId, now)}) as used,
      (select allowed from quota_overrides where org_id = ${orgId} and quota = ${quota}) as override`
  return row!
}

export async function countAll(sql: Sql, orgId: string, now: Date): Promise<Record<CountedQuota, number>> {
  const [row] = await sql<Record<CountedQuota, number>[]>`
    select (${counts.projects(sql, orgId, now)}) as projects, (${counts.agents(sql, orgId, now)}) as agents,
      (${counts.skills(sql, orgId, now)}) as skills,
      (${counts.schedules(sql, orgId, now)}) as schedules,
      (${counts.webhooks(sql, orgId, now)}) as webhooks, (${counts.keys(sql, orgId, now)}) as keys,
      (${counts.providers(sql, orgId, now)}) as providers, (${counts.guardrails(sql, orgId, now)}) as guardrails,
      (${counts.payments(sql, orgId, now)}) as payments,
      (${counts.mcp(sql, orgId, now)}) as mcp,
      (${counts.connections(sql, orgId, now)}) as connections,
      (${counts.invites(sql, orgId, now)}) as invites`
  return row!
}

const counts: Record<CountedQuota, (sql: Sql, orgId: string, now: Date) => Fragment> = {
  projects: (sql, orgId) => sql`
    select greatest(0, coalesce(sum(amount), 0))::bigint from quota_usage where org_id = ${orgId} and quota = 'projects'`,
  agents: (sql, orgId) => sql`select count(*) from agents where org_id = ${orgId} and archived_at is null`,
  schedules: (sql, orgId) => sql`select count(*) from schedules where org_id = ${orgId}`,
  skills: (sql, orgId) => sql`select count(*) from skills where org_id = ${orgId}`,
  webhooks: (sql, orgId) => sql`select count(*) from webhooks where org_id = ${orgId}`,
  keys: (sql, orgId) => sql`select count(*) from api_keys where org_id = ${orgId} and revoked_at is null`,
  providers: (sql, orgId) => sql`select count(*) from model_providers where org_id = ${orgId}`,
  guardrails: (sql, orgId) => sql`select count(*) from guardrails where org_id = ${orgId}`,
  payments: (sql, orgId, now) => sql`
    select count(*) from machine_payments where org_id = ${orgId} and created_at >= ${startOfDay(now)}`,
  mcp: (sql, orgId) => sql`select count(*) from mcp_servers where org_id = ${orgId}`,
  // A connection not completed in time counts as failed, even before its status is updated.
  connections: (sql, orgId, now) => sql`
    select count(*) from connections where org_id = ${orgId} and deleted_at is null and status <> 'failed'
      and not (status = 'pending' and pending_until <= ${now})`,
  invites: (sql, orgId, now) => sql`
    (select count(*) from invites where org_id = ${orgId} and expires_at > ${now})
    + (select count(*) from project_invites where org_id = ${orgId} and (expires_at is null or expires_at > ${now})
        and (max_uses is null or uses < max_uses))`,
}

const DAY_MS = 86_400_000

const startOfDay = (now: Date) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)

/** Daily quotas reset then. */
export const secondsOfDayLeft = (now: Date): number =>
  Math.ceil((startOfDay(now).getTime() + DAY_MS - now.getTime()) / 1000)

export const selectOverrides = (sql: Sql, orgId: string | Fragment): Fragment => sql`(
  select coalesce(jsonb_object_agg(quota, allowed), '{}') from quota_overrides
  where org_id = ${orgId} and quota = any(${Object.keys(QUOTAS)}))`

/** Null removes the override. */
export async function setOverride(
  sql: Sql,
  orgId: string,
  quota: QuotaName,
  allowed: number | null,
  now: Date,
): Promise<void> {
  if (allowed === null) {
    await sql`delete from quota_overrides where org_id = ${orgId} and quota = ${quota}`
    return
  }
  await sql`
    insert into quota_overrides (org_id, quota, allowed, updated_at) values (${orgId}, ${quota}, ${allowed}, ${now})
    on conflict (org_id, quota) do update set allowed = excluded.allowed, updated_at = excluded.updated_at`
}

/** For `with event as (insert … returning org_id, …), ${countEventCte(sql)} …`. */
export const countEventCte = (sql: Sql): Fragment =>
  sql`
  event_count as (insert into quota_usage (org_id, quota, amount) select org_id, 'events', count(*) from event group by org_id)` as Fragment

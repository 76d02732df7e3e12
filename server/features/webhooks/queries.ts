import type { SchemeName } from '../../../contract/webhooks/signature-schemes.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import { columns, type WebhookRow } from './records.ts'

const QUARTER_MS = 900_000

/** Each hour consists of four quarters, of which the last is the current one. */
const select = (sql: Sql, now: Date, clauses: Fragment) => {
  const quarter = new Date(Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS)
  return sql<WebhookRow[]>`
  select ${columns(sql)},
    case when w.previous_secret_until > ${now} then w.previous_secret_until end as "previousSecretUntil",
    h.succeeded, h.failed
  from webhooks w, lateral (
    select array_agg(coalesce(q.succeeded, 0) order by hour) as succeeded,
      array_agg(coalesce(q.failed, 0) order by hour) as failed
    from generate_series(0, 23) hour left join (
      select 23 - floor(extract(epoch from ${quarter}::timestamptz - q.began_at) / 3600)::int as hour,
        sum(q.succeeded)::int as succeeded, sum(q.failed)::int as failed
      from webhook_quarters q
      where q.org_id = w.org_id and q.webhook_id = w.id and q.began_at > ${quarter}::timestamptz - interval '24 hours'
      group by 1
    ) q using (hour)
  ) h ${clauses}`
}

export const listWebhooks = (sql: Sql, orgId: string, now: Date) =>
  select(sql, now, sql`where w.org_id = ${orgId} order by w.created_at desc, w.id desc`)

/** Without the last day's counts. */
export async function findWebhookName(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<Pick<WebhookRow, 'id' | 'name' | 'status'>[]>`
    select id, name, status from webhooks where org_id = ${orgId} and id = ${id}`
  return row ?? null
}

export async function findWebhook(sql: Sql, orgId: string, id: string, now: Date) {
  const [row] = await select(sql, now, sql`where w.org_id = ${orgId} and w.id = ${id}`)
  return row ?? null
}

export interface NewWebhook {
  id: string
  name: string
  url: string | null
  source: string
  scheme: SchemeName
  dedupWindowSeconds: number
  description: string | null
  events: string[]
  secretSealed: string
  secretHash: Buffer
  receives: boolean
  createdBy: string
  now: Date
}

export async function insertWebhook(sql: Sql, orgId: string, webhook: NewWebhook): Promise<void> {
  const {
    id,
    name,
    url,
    receives,
    source,
    scheme,
    dedupWindowSeconds,
    description,
    events,
    secretSealed,
    secretHash,
  } = webhook
  const { createdBy, now } = webhook
  await sql`
    insert into webhooks (org_id, id, name, url, receives, source, scheme, dedup_window_seconds, description, events, secret_sealed,
      secret_hash, created_by, created_at, updated_at)
    values (${orgId}, ${id}, ${name}, ${url}, ${receives}, ${source}, ${scheme}, ${dedupWindowSeconds}, ${description}, ${events}, ${secretSealed},
      ${secretHash}, ${createdBy}, ${now}, ${now})`
}

export async function lockWebhook(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<LockedWebhook[]>`
    select ${columns(sql)} from webhooks w where w.org_id = ${orgId} and w.id = ${id} for update`
  return row ?? null
}
export type LockedWebhook = Omit<WebhookRow, 'succeeded' | 'failed' | 'previousSecretUntil'>

export type Settings = Pick<
  WebhookRow,
  | 'name'
  | 'url'
  | 'receives'
  | 'source'
  | 'scheme'
  | 'dedupWindowSeconds'
  | 'description'
  | 'events'
  | 'status'
  | 'disabledReason'
>

export async function updateWebhook(
  sql: Sql,
  orgId: string,
  id: string,
  settings: Settings,
  now: Date,
): Promise<void> {
  const {
    name,
    url,
    receives,
    source,
    scheme,
    dedupWindowSeconds,
    description,
    events,
    status,
    disabledReason,
  } = settings
  await sql`
    update webhooks set name = ${name}, url = ${url}, receives = ${receives}, source = ${source}, scheme = ${scheme},
      dedup_window_seconds = ${dedupWindowSeconds}, description = ${description}, events = ${events}, status = ${status}, disabled_reason = ${disabledReason}, version = version + 1,
      failing_since = case when status <> ${status} and (status = 'disabled' or paused_reason is not null) then null
        else failing_since end,
      paused_reason = case when status = ${status} then paused_reason end,
      paused_at = case when status = ${status} then paused_at end,
      resumed_at = case when status <> 'active' and ${status}::text = 'active' then ${now}::timestamptz else resumed_at end,
      timeouts = case when status = ${status} then timeouts else 0 end,
      updated_at = ${now}
    where org_id = ${orgId} and id = ${id}`
}

export async function updateSecret(
  sql: Sql,
  orgId: string,
  id: string,
  secret: { sealed: string; hash: Buffer; previousUntil: Date | null; now: Date },
): Promise<void> {
  const keepsPrevious = secret.previousUntil !== null
  await sql`
    update webhooks set
      previous_secret_sealed = case when ${keepsPrevious} then secret_sealed end,
      previous_secret_hash = case when ${keepsPrevious} then secret_hash end,
      previous_secret_until = ${secret.previousUntil},
      secret_sealed = ${secret.sealed}, secret_hash = ${secret.hash}, version = version + 1, updated_at = ${secret.now}
    where org_id = ${orgId} and id = ${id}`
}

export async function deleteWebhook(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`delete from webhooks where org_id = ${orgId} and id = ${id}`
}

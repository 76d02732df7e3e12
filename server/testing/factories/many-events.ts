import type { Pool } from '../../database/database.ts'
import type { Person } from './factories.ts'
import { seedWithoutIndexes } from './without-indexes.ts'

export async function seedManyWebhooks(
  sql: Pool,
  { id: by }: Pick<Person, 'id'>,
  count: number,
): Promise<void> {
  await sql`
    with org as (
      insert into organizations (id, name, created_at, updated_at)
      select gen_random_uuid(), 'Other', now(), now() from generate_series(1, ${count}::int) returning id
    )
    insert into webhooks (org_id, id, name, url, source, secret_sealed, secret_hash, created_by, created_at, updated_at)
    select id, gen_random_uuid(), 'Other', 'http://127.0.0.1/', 'custom', '', '', ${by}, now(), now() from org`
}

interface ManyEventsOptions {
  webhookId: string
  count: number
  /** When the newest event occurred. Events are one second apart. */
  now: Date
  /** Counted from the oldest. Default: all. */
  delivered?: number
}

/**
 * One attempt each. One in a thousand has a rare type, another a rare status. Event ids count from 1, and delivery ids
 * add a leading d.
 */
export async function seedManyEvents(
  sql: Pool,
  orgId: string,
  { webhookId, count, now, delivered = count }: ManyEventsOptions,
): Promise<void> {
  await sql`
    insert into events (org_id, id, webhook_id, direction, type, source, external_id, status, payload, received_at)
    select ${orgId}, lpad(to_hex(n), 32, '0')::uuid, case n % 1000 when 0 then ${webhookId}::uuid end,
      case n % 1000 when 0 then 'inbound' else 'internal' end,
      case n % 1000 when 0 then 'order.paid' when 1 then 'order.sent' else 'file.created' end, 'atrium',
      case n % 1000 when 0 then 'sent-' || n end, case n % 1000 when 2 then 'failed' else 'delivered' end, '{"name": "report"}',
      ${now}::timestamptz - make_interval(secs => ${count}::int - n)
    from generate_series(1, ${count}::int) n`
  await sql`
    insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, attempt, trigger, created_at, completed_at)
    select ${orgId}, ('d' || lpad(to_hex(n), 31, '0'))::uuid, e.id, e.type, e.direction, ${webhookId},
      'http://127.0.0.1/', case n % 1000 when 2 then 'failed' else 'succeeded' end, 1, 'scheduled', ${now}, ${now}
    from generate_series(1, ${delivered}::int) n join events e on e.org_id = ${orgId} and e.id = lpad(to_hex(n), 32, '0')::uuid`
  await sql`
    insert into delivery_attempts (org_id, delivery_id, attempt, webhook_id, succeeded, started_at, duration_ms, request)
    select org_id, id, 1, webhook_id, status = 'succeeded', ${now}::timestamptz - interval '2 days', 5, '{}'
    from deliveries where org_id = ${orgId}`
}

/** Recreates secondary indexes afterwards. */
export async function withoutIndexes<T>(sql: Pool, seed: () => Promise<T>): Promise<T> {
  const result = await seedWithoutIndexes(sql, ['events', 'deliveries', 'delivery_attempts'], seed)
  await vacuumEvents(sql)
  return result
}

/** Like autovacuum, skips empty partitions: otherwise the planner would treat them as permanently empty. */
export async function vacuumEvents(sql: Pool): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    where coalesce(i.inhparent, c.oid) = any(array['events', 'deliveries', 'delivery_attempts', 'webhooks']::regclass[])
      and c.relkind = 'r' and pg_relation_size(c.oid) > 0`
  for (const { name } of tables) await sql`vacuum analyze ${sql(name)}`
}

import type { Sql } from '../../server/database/database.ts'
import { type Chunk, organizationJoin } from './rows.ts'

const DAYS = 30
const BODY = Buffer.from(JSON.stringify({ items: 'item '.repeat(60) }))
const DELIVERED_EVERY = 5

/** A third received, every fifth with a delivery and an attempt. */
export async function seedEvents(sql: Sql, { from, to, total, organizations }: Chunk): Promise<void> {
  const at = sql`select now() - (1 - n::float8 / ${total}::float8) * ${DAYS}::int * interval '1 day' - interval '1 minute' as at`
  const type = sql`case when n % 3 = 0 then (array['order.paid', 'order.sent', 'order.failed'])[1 + (n / 10) % 3]
    else (array['file.created', 'project.updated', 'project.block.updated', 'run.finished', 'key.created'])[1 + (n / 10) % 5] end`
  await sql`
    insert into events (org_id, id, webhook_id, direction, type, source, external_id, status, payload, body, headers, received_at)
    select o.org_id, uuidv7(t.at - clock_timestamp()), case when n % 3 = 0 then o.webhook_id end,
      case when n % 3 = 0 then 'inbound' else 'internal' end, ${type}, case when n % 3 = 0 then 'custom' else 'atrium' end,
      case when n % 3 = 0 then 'sent-' || n end, case when n % 50 = 1 then 'failed' when n % ${DELIVERED_EVERY}::int = 0 then 'delivered' else 'received' end,
      case when n % 3 <> 0 then jsonb_build_object('id', o.agent_id, 'by', o.user_id, 'number', n) end,
      case when n % 3 = 0 then ${BODY}::bytea end,
      '{}', t.at
    from generate_series(${from}::int, ${to}::int) n join ${organizationJoin(sql, organizations)} cross join lateral (${at}) t`
  await sql`
    with inserted as (
      insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, attempt, trigger,
        response, duration_ms, created_at, completed_at)
      select e.org_id, uuidv7(e.received_at - clock_timestamp()), e.id, e.type, e.direction, o.webhook_id, 'https://example.com/', 'succeeded', 1,
        'scheduled', '{"status": 200, "body": ""}', 20, e.received_at, e.received_at
      from events e join growth_orgs o on o.org_id = e.org_id
      where e.status = 'delivered' and e.recorded_in = pg_current_xact_id()
        and e.id >= first_id_at((select t.at from (select ${from}::int as n) n cross join lateral (${at}) t))
      returning org_id, id, webhook_id, created_at
    )
    insert into delivery_attempts (org_id, delivery_id, attempt, webhook_id, succeeded, started_at, duration_ms, request, response)
    select org_id, id, 1, webhook_id, true, created_at, 20, '{"url": "https://example.com/", "headers": {}}', '{"status": 200, "body": ""}'
    from inserted`
}

/** As the trigger of attempts does, which doesn't run here. */
export const seedCharts = (sql: Sql) => sql`
  insert into webhook_quarters (org_id, webhook_id, slot, began_at, succeeded, failed)
  select org_id, webhook_id, extract(epoch from quarter)::bigint / 900 % 96, quarter, count(*) filter (where succeeded),
    count(*) filter (where not succeeded)
  from delivery_attempts cross join lateral (select date_bin('15 minutes', started_at, 'epoch') as quarter) q
  where quarter > now() - interval '24 hours' group by org_id, webhook_id, quarter`

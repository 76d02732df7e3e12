import { HEALTH_LIMITS, type Queue } from '../../../../contract/organizations/health-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

/** Work that waits in tables of its own, over all organizations; only operators can read it. */

export interface BacklogRow {
  queue: Queue
  waiting: number
  lagSeconds: number
}

/**
 * How much waits in each queue, and how long the oldest has been due. The oldest is found by one lookup per organization (or
 * webhook) that has work, in the index that the workers claim by, however much waits.
 */
export const readBacklogs = (sql: Sql, now: Date) => sql<BacklogRow[]>`
  with recursive ${firstOf(sql, 'run', sql`runs`, sql`due_at is not null`, sql`due_at`)},
    ${firstOf(sql, 'reply', sql`connector_replies`, sql`due_at is not null`, sql`due_at`)},
    ${firstOf(sql, 'entry', sql`search_backlog`, sql`true`, sql`due_at`)},
    ${firstOf(sql, 'thread', sql`connector_threads`, sql`due_at is not null`, sql`due_at`, sql`endpoint_id`)},
    ${firstOf(sql, 'delivery', sql`deliveries`, isOpen(sql), sql`next_attempt_at`, sql`webhook_id`)}
  select * from (values
    ('deliveries', ${countOf(sql, sql`deliveries where ${isOpen(sql)}`)}, (select min(due) from delivery_due)),
    ('runs', ${countOf(sql, sql`runs where due_at <= ${now}`)}, (select min(due) from run_due)),
    ('provider_events', ${countOf(sql, sql`connector_threads where due_at <= ${now}`)}, (select min(due) from thread_due)),
    ('replies', ${countOf(sql, sql`connector_replies where due_at <= ${now}`)}, (select min(due) from reply_due)),
    ('emails', ${countOf(sql, sql`mails where sent_at is null`)},
      (select min(created_at) from mails where sent_at is null)),
    ('search', ${countOf(sql, sql`search_backlog where due_at <= ${now}`)}, (select min(due) from entry_due))
  ) as q (queue, waiting, due)
  cross join lateral (
    select greatest(0, coalesce(extract(epoch from ${now}::timestamptz - due), 0))::float8 as "lagSeconds"
  ) l`

const isOpen = (sql: Sql): Fragment => sql`status in ('pending', 'retrying')` as Fragment

const countOf = (sql: Sql, rows: Fragment): Fragment =>
  sql`(select count(*)::int from (select from ${rows} limit ${HEALTH_LIMITS.counted}) r)` as Fragment

/** `name_due`: the first due time of each organization, or of each `part` of it, by a loose index scan. */
function firstOf(
  sql: Sql,
  name: string,
  table: Fragment,
  condition: Fragment,
  due: Fragment,
  part?: Fragment,
): Fragment {
  const key = part ? sql`org_id, ${part}` : sql`org_id`
  const same = part ? sql`t.org_id = k.org_id and t.${part} = k.${part}` : sql`t.org_id = k.org_id`
  const next = part ? sql`(t.org_id, t.${part}) > (k.org_id, k.${part})` : sql`t.org_id > k.org_id`
  const keys = sql(`${name}_keys`)
  return sql`
    ${keys} (${key}) as (
      (select ${key} from ${table} where ${condition} order by ${key} limit 1)
      union all
      select n.* from ${keys} k cross join lateral (
        select ${key} from ${table} t where ${condition} and ${next} order by ${key} limit 1
      ) n
    ), ${sql(`${name}_due`)} as (
      select f.due from ${keys} k cross join lateral (
        select t.${due} as due from ${table} t where ${same} and ${condition} order by t.${due} limit 1
      ) f
    )` as Fragment
}

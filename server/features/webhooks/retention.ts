import type { Sql } from '../../database/database.ts'

const DAY_MS = 86_400_000
/** The retention of the event log. Events with pending deliveries stay until those are done. */
const EVENT_RETENTION_MS = 30 * DAY_MS
/** How long a repeated event is recognized as a duplicate. */
const SEEN_RETENTION_MS = 7 * DAY_MS
/** Small batches hold few locks, and only briefly. */
const BATCH = 1000

/** Deletes events past their retention with their deliveries, and the external ids of past duplicates. */
export async function sweepEvents(sql: Sql, now: Date, batch = BATCH): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  let after: Position | null = { receivedAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
  while (after) after = await deleteEventsBefore(sql, ago(EVENT_RETENTION_MS), after, batch)
  while ((await deleteSeenBefore(sql, ago(SEEN_RETENTION_MS), batch)) === batch);
}

interface Position {
  receivedAt: string
  id: string
}

/** Deletes one batch after a position, across organizations; returns the position of the last row, null at the end. */
async function deleteEventsBefore(
  sql: Sql,
  before: Date,
  after: Position,
  batch: number,
): Promise<Position | null> {
  const [last] = await sql<Position[]>`
    with old as materialized (
      select org_id, id, received_at from events
      where received_at < ${before} and received_at >= ${after.receivedAt}::timestamptz
        and (received_at, id) > (${after.receivedAt}::timestamptz, ${after.id}::uuid)
      order by received_at, id limit ${batch}
    ), gone as (
      delete from events e using old where e.org_id = old.org_id and e.id = old.id and not exists (
        select from deliveries d
        where d.org_id = e.org_id and d.event_id = e.id and d.status in ('pending', 'retrying', 'held'))
    )
    select received_at as "receivedAt", id from old order by received_at desc, id desc limit 1`
  return last ?? null
}

async function deleteSeenBefore(sql: Sql, before: Date, batch: number): Promise<number> {
  const { count } = await sql`
    delete from webhook_seen s using (
      select org_id, webhook_id, external_id from webhook_seen where seen_at < ${before} order by seen_at limit ${batch}
      for update skip locked
    ) old
    where s.org_id = old.org_id and s.webhook_id = old.webhook_id and s.external_id = old.external_id`
  return count
}

import type { Sql } from '../../database/database.ts'
import { inBatch, inBatches } from '../../database/delete-batch.ts'
import {
  firstIdAt,
  listTimePartitions,
  type PartitionedTable,
  retirePartition,
  type TimePartition,
} from '../../database/time-partitions.ts'
import { countDroppedEvents } from '../../metering/usage-queries.ts'

const DAY_MS = 86_400_000
/** Events with pending deliveries stay until those finish. */
const EVENT_RETENTION_MS = 30 * DAY_MS
/** Repeated events count as duplicates for this long. */
const SEEN_RETENTION_MS = 7 * DAY_MS
/** A delivery id contains its request's start, which may precede the event. */
const SKEW_MS = DAY_MS
/** Small batches hold few locks, briefly. */
const BATCH = 1000

/**
 * Drops a whole week once its last event expires. Deletes other rows one by one: events older than the partitions, and
 * those kept for pending deliveries.
 */
export async function sweepEvents(sql: Sql, now: Date, batch = BATCH): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const oldest = ago(EVENT_RETENTION_MS)
  const rowwisePartitions = ['events_default']
  for (const partition of await listTimePartitions(sql, 'events')) {
    const outcome = partition.to <= oldest ? await dropEvents(sql, partition, oldest) : null
    if (outcome === 'many' || (partition.from === null && outcome !== 'dropped'))
      rowwisePartitions.push(partition.name)
  }
  for (const name of rowwisePartitions) {
    let after: Position | null = { receivedAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
    while (after) after = await deleteEventsBefore(sql, name, oldest, after, batch)
  }
  await dropDeliveries(sql, oldest)
  await inBatches(batch, () => deleteRepetitions(sql, oldest, batch))
  await inBatches(batch, () => deleteSeenBefore(sql, ago(SEEN_RETENTION_MS), batch))
}

/** Keeps events with unfinished deliveries, or that arrived later than the times in their ids. */
const dropEvents = (sql: Sql, partition: TimePartition, before: Date) =>
  retirePartition(sql, partition, {
    keptRows: (inside) => inside`
      select e.* from ${inside(partition.name)} e where e.received_at >= ${before}
      union all
      select e.* from (
        select distinct org_id, event_id from deliveries
        where status in ('pending', 'retrying', 'held') and event_id < ${firstIdAt(partition.to)}
          and event_id >= ${firstIdAt(partition.from ?? new Date(0))}
      ) d join ${inside(partition.name)} e on e.org_id = d.org_id and e.id = d.event_id
      where e.received_at < ${before}`,
    beforeDrop: (inside) => countDroppedEvents(inside, partition.name),
  })

/** For weeks with dropped events. Keeps those of remaining events. */
async function dropDeliveries(sql: Sql, before: Date): Promise<void> {
  await deleteReplays(sql, before)
  for (const partition of await listOrphaned(sql, 'deliveries', 'events', before)) {
    await retirePartition(sql, partition, {
      keptRows: (inside) => inside`
        select d.* from events e join ${inside(partition.name)} d on d.org_id = e.org_id and d.event_id = e.id
        where e.id < ${firstIdAt(new Date(partition.to.getTime() + SKEW_MS))}`,
    })
  }
  for (const partition of await listOrphaned(sql, 'delivery_attempts', 'deliveries', before)) {
    await retirePartition(sql, partition, {
      keptRows: (inside) => inside`
        select a.* from deliveries d join ${inside(partition.name)} a on a.org_id = d.org_id and a.delivery_id = d.id
        where d.id < ${firstIdAt(partition.to)}`,
    })
  }
}

async function listOrphaned(sql: Sql, table: PartitionedTable, parent: PartitionedTable, before: Date) {
  const all = await listTimePartitions(sql, table, parent)
  const parentEnds = new Set(all.filter((each) => each.table === parent).map(({ to }) => to.getTime()))
  return all.filter((each) => each.table === table && each.to <= before && !parentEnds.has(each.to.getTime()))
}

/** A replay is newer than its event, so its partition outlives the event's by weeks. */
const deleteReplays = (sql: Sql, before: Date) => sql`
  with gone as (
    delete from deliveries d where d.trigger = 'replay' and d.event_id < ${firstIdAt(before)} and not exists (
      select from events e where e.org_id = d.org_id and e.id = d.event_id)
    returning d.org_id, d.id
  )
  delete from delivery_attempts a using gone where a.org_id = gone.org_id and a.delivery_id = gone.id`

interface Position {
  receivedAt: string
  id: string
}

async function deleteEventsBefore(
  sql: Sql,
  partition: string,
  before: Date,
  after: Position,
  batch: number,
): Promise<Position | null> {
  const [last] = await sql<Position[]>`
    with old as materialized (
      select org_id, id, received_at from ${sql(partition)}
      where received_at < ${before} and received_at >= ${after.receivedAt}::timestamptz
        and (received_at, id) > (${after.receivedAt}::timestamptz, ${after.id}::uuid)
      order by received_at, id limit ${batch}
    ), gone as (
      delete from events e using old where e.org_id = old.org_id and e.id = old.id and not exists (
        select from deliveries d
        where d.org_id = e.org_id and d.event_id = e.id and d.status in ('pending', 'retrying', 'held'))
      returning e.org_id, e.id
    ), deliveries_gone as (
      delete from deliveries d using gone where d.org_id = gone.org_id and d.event_id = gone.id returning d.org_id, d.id
    ), attempts_gone as (
      delete from delivery_attempts a using deliveries_gone d where a.org_id = d.org_id and a.delivery_id = d.id
    )
    select received_at as "receivedAt", id from old order by received_at desc, id desc limit 1`
  return last ?? null
}

/** Few old rows remain: those with unfinished deliveries. */
const deleteRepetitions = (sql: Sql, before: Date, batch: number) => {
  const old = sql`
    event_repetitions t where t.event_id < ${firstIdAt(before)} and not exists (
      select from events e where e.org_id = t.org_id and e.id = t.event_id)
    order by t.event_id`
  return sql`delete from event_repetitions where ${inBatch(sql, old, batch)}`
}

const deleteSeenBefore = (sql: Sql, before: Date, batch: number) => sql`
  delete from webhook_seen
  where ${inBatch(sql, sql`webhook_seen t where t.seen_at < ${before} order by t.seen_at`, batch, 'unlocked')}`

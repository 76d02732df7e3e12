import type { Pool } from '../../server/database/database.ts'
import { listTimePartitions } from '../../server/database/time-partitions.ts'
import { sweepEvents } from '../../server/features/webhooks/retention.ts'

const DAY_MS = 86_400_000
const BATCH = 1000
const BATCHES = 20

/** Compares deleting rows with dropping a partition. */
export async function measureRetention(sql: Pool): Promise<string[]> {
  const weeks = await listTimePartitions(sql, 'events')
  const countRows = async (name: string) => {
    const [row] = await sql<{ count: number }[]>`select count(*) from ${sql(name)}`
    return row!.count
  }
  const newestDroppedWeek = weeks.find(({ from }) => from && from.getTime() < Date.now() - 21 * DAY_MS)!
  const lastCompleteWeek = weeks.findLast(({ to }) => to.getTime() < Date.now())!
  let start = performance.now()
  for (let n = 0; n < BATCHES; n++) await deleteRows(sql, lastCompleteWeek.name)
  const perRow = (performance.now() - start) / (BATCHES * BATCH)
  const droppedWeeks = weeks.filter(({ to }) => to <= newestDroppedWeek.to)
  const eventCount = (await Promise.all(droppedWeeks.map(({ name }) => countRows(name)))).reduce(
    (sum, count) => sum + count,
    0,
  )
  start = performance.now()
  await sweepEvents(sql, new Date(newestDroppedWeek.to.getTime() + 30 * DAY_MS + 1))
  const dropMs = performance.now() - start
  return [
    `retention by deleting rows: ${(perRow * 1000).toFixed(0)} µs per event with its deliveries, ${((perRow * eventCount) / 1000).toFixed(0)} s for ${eventCount}`,
    `retention by dropping ${droppedWeeks.length} partitions with ${eventCount} events and their deliveries: ${dropMs.toFixed(0)} ms`,
  ]
}

const deleteRows = (sql: Pool, partition: string) => sql`
  with old as materialized (
    select org_id, id from ${sql(partition)} order by received_at limit ${BATCH}
  ), deleted_events as (
    delete from events e using old where e.org_id = old.org_id and e.id = old.id returning e.org_id, e.id
  ), deleted_deliveries as (
    delete from deliveries d using deleted_events e where d.org_id = e.org_id and d.event_id = e.id returning d.org_id, d.id
  )
  delete from delivery_attempts a using deleted_deliveries d where a.org_id = d.org_id and a.delivery_id = d.id`

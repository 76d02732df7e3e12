import { z } from 'zod'
import type { Sql } from '../../../../database/database.ts'
import { inBatch, inBatches } from '../../../../database/delete-batch.ts'
import { job } from '../../../../jobs/job.ts'
import { deleteEndpointRow } from '../queries.ts'

export const sweepEvents = job('connector-endpoints.sweep', z.object({}), { lane: 'bulk' })

const RETENTION_MS = 30 * 86_400_000

const BATCH = 1000

export async function sweepStored(sql: Sql, now: Date, batch = BATCH): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_MS)
  let after: Position | null = { receivedAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
  while (after) after = await deleteEventsBefore(sql, before, after, batch)
  await inBatches(batch, () => deleteSeenBefore(sql, before, batch))
  await inBatches(batch, () => deleteThreadsBefore(sql, before, batch))
}

interface Position {
  receivedAt: string
  id: string
}

async function deleteEventsBefore(
  sql: Sql,
  before: Date,
  after: Position,
  batch: number,
): Promise<Position | null> {
  const [last] = await sql<Position[]>`
    with old as materialized (
      select org_id, endpoint_id, id, received_at from connector_events
      where received_at < ${before} and received_at >= ${after.receivedAt}::timestamptz
        and (received_at, id) > (${after.receivedAt}::timestamptz, ${after.id}::uuid)
      order by received_at, id limit ${batch}
    ), replies as (
      delete from connector_replies r using old
      where r.org_id = old.org_id and r.endpoint_id = old.endpoint_id and r.event_id = old.id
        and r.status not in ('waiting', 'pending')
    ), gone as (
      delete from connector_events e using old
      where e.org_id = old.org_id and e.endpoint_id = old.endpoint_id and e.id = old.id
        and e.status not in ('pending', 'running') and not exists (
          select from connector_replies r
          where r.org_id = e.org_id and r.endpoint_id = e.endpoint_id and r.event_id = e.id
            and r.status in ('waiting', 'pending'))
    )
    select received_at as "receivedAt", id from old order by received_at desc, id desc limit 1`
  return last ?? null
}

const deleteSeenBefore = (sql: Sql, before: Date, batch: number) => sql`
  delete from connector_seen
  where ${inBatch(sql, sql`connector_seen t where t.seen_at < ${before} order by t.seen_at`, batch, 'unlocked')}`

const deleteThreadsBefore = (sql: Sql, before: Date, batch: number) => {
  const old = sql`connector_threads t where t.changed_at < ${before} and t.due_at is null order by t.changed_at`
  return sql`delete from connector_threads where ${inBatch(sql, old, batch, 'unlocked')}`
}

export async function deleteStored(sql: Sql, orgId: string, id: string): Promise<void> {
  for (const table of ['connector_replies', 'connector_events', 'connector_seen', 'connector_threads']) {
    const rows = sql`${sql(table)} t where t.org_id = ${orgId} and t.endpoint_id = ${id}`
    await inBatches(BATCH, () => sql`delete from ${sql(table)} where ${inBatch(sql, rows, BATCH)}`)
  }
  await deleteEndpointRow(sql, orgId, id)
}

export async function deleteOfProject(sql: Sql, orgId: string, projectId: string): Promise<number> {
  const rows = await sql<{ id: string }[]>`
    select id from connector_endpoints where org_id = ${orgId} and project_id = ${projectId}`
  for (const { id } of rows) await deleteStored(sql, orgId, id)
  return rows.length
}

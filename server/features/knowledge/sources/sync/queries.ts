import {
  SOURCE_LIMITS,
  type SourceAction,
  type SourcePause,
} from '../../../../../contract/knowledge/source-options.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { claimFairly, type OrganizationClaim, type Queue } from '../../../../jobs/claim-fairly.ts'
import type { RemoteItem } from '../providers/provider.ts'
import type { Progress } from '../records.ts'

export interface DueSource {
  orgId: string
  id: string
  lease: number
}

export const SOURCES_QUEUE: Queue = { table: 'knowledge_sources', key: ['id'], indexedBy: 'due' }

export const claimSources = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<DueSource>(sql, SOURCES_QUEUE, claim, {
    lease: sql`lease = t.lease + 1, due_at = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.id, t.lease`,
  })

/** At boot, if no other process uses the database: what a killed process had claimed. Others wait for their next sync. */
export const releaseLeases = (sql: Sql, now: Date) => sql`
  update knowledge_sources set due_at = ${now}, lease = lease + 1 where due_at > ${now} and next_sync_at <= ${now}`

export const extendLease = (sql: Sql, { orgId, id }: DueSource, until: Date) => sql`
  update knowledge_sources set due_at = ${until} where org_id = ${orgId} and id = ${id}`

export const insertSync = (
  sql: Sql,
  { orgId, id }: DueSource,
  sync: { id: string; trigger: 'schedule' | 'manual'; now: Date },
) => sql`
  insert into source_syncs (org_id, id, source_id, trigger, outcome, started_at)
  values (${orgId}, ${sync.id}, ${id}, ${sync.trigger}, 'running', ${sync.now})`

export const startProgress = (sql: Sql, { orgId, id }: DueSource, progress: Progress) => sql`
  update knowledge_sources set progress = ${sql.json(progress as never)}, pass = pass + 1, requested = false
  where org_id = ${orgId} and id = ${id}`

export const updateProgress = (sql: Sql, { orgId, id }: DueSource, progress: Progress) => sql`
  update knowledge_sources set progress = ${sql.json(progress as never)} where org_id = ${orgId} and id = ${id}`

export interface ItemRow {
  externalId: string
  fileId: string | null
  folderId: string | null
  path: string
  name: string
  version: string | null
  etag: string | null
  sha256: string | null
  state: 'synced' | 'skipped' | 'failed' | 'detached'
  reason: string | null
  attempts: number
}

const itemColumns = (sql: Sql): Fragment => sql`
  external_id as "externalId", file_id as "fileId", folder_id as "folderId", path, name, version, etag, sha256, state,
  reason, attempts`

export async function findItem(
  sql: Sql,
  { orgId, id }: DueSource,
  externalId: string,
): Promise<ItemRow | null> {
  const [row] = await sql<ItemRow[]>`
    select ${itemColumns(sql)} from source_items
    where org_id = ${orgId} and source_id = ${id} and external_id = ${externalId}`
  return row ?? null
}

export const listItems = (sql: Sql, { orgId, id }: DueSource, externalIds: string[]) => sql<ItemRow[]>`
  select ${itemColumns(sql)} from source_items
  where org_id = ${orgId} and source_id = ${id} and external_id = any(${externalIds})`

export async function hasFailedItems(sql: Sql, { orgId, id }: DueSource): Promise<boolean> {
  const rows = await sql`
    select from source_items where org_id = ${orgId} and source_id = ${id} and state = 'failed' limit 1`
  return rows.length > 0
}

export const listUnseen = (sql: Sql, { orgId, id }: DueSource, pass: number, limit: number) => sql<ItemRow[]>`
  select ${itemColumns(sql)} from source_items
  where org_id = ${orgId} and source_id = ${id} and seen < ${pass} order by seen, external_id limit ${limit}`

export const markSeen = (sql: Sql, { orgId, id }: DueSource, externalIds: string[], pass: number) => sql`
  update source_items set seen = ${pass}
  where org_id = ${orgId} and source_id = ${id} and external_id = any(${externalIds}) and seen <> ${pass}`

export interface StoredItem
  extends Pick<ItemRow, 'fileId' | 'folderId' | 'version' | 'etag' | 'sha256' | 'state' | 'reason'> {
  attempts?: number
}

export const upsertItem = (
  sql: Sql,
  { orgId, id }: DueSource,
  { id: externalId, folders, name }: Pick<RemoteItem, 'id' | 'folders' | 'name'>,
  item: StoredItem,
  { pass, now }: { pass: number; now: Date },
) => sql`
  insert into source_items (org_id, source_id, external_id, file_id, folder_id, path, name, version, etag, sha256, state,
    reason, attempts, seen, updated_at)
  values (${orgId}, ${id}, ${externalId}, ${item.fileId}, ${item.folderId}, ${folders.join('/')}, ${name},
    ${item.version}, ${item.etag}, ${item.sha256}, ${item.state}, ${item.reason}, ${item.attempts ?? 0}, ${pass}, ${now})
  on conflict (org_id, source_id, external_id) do update set file_id = excluded.file_id, folder_id = excluded.folder_id,
    path = excluded.path, name = excluded.name, version = excluded.version, etag = excluded.etag,
    sha256 = excluded.sha256, state = excluded.state, reason = excluded.reason, attempts = excluded.attempts,
    seen = excluded.seen, updated_at = excluded.updated_at`

export const deleteItem = (sql: Sql, { orgId, id }: DueSource, externalId: string) => sql`
  delete from source_items where org_id = ${orgId} and source_id = ${id} and external_id = ${externalId}`

export interface LogEntry {
  id: string
  syncId: string
  action: SourceAction
  path: string
  fileId: string | null
  reason: string | null
  bytes: number
  now: Date
}

const COUNTED: Record<SourceAction, 'added' | 'changed' | 'removed' | 'skipped'> = {
  added: 'added',
  changed: 'changed',
  moved: 'changed',
  removed: 'removed',
  skipped: 'skipped',
  kept: 'skipped',
}

export async function insertLog(sql: Sql, { orgId, id }: DueSource, entry: LogEntry): Promise<void> {
  const counter = sql(COUNTED[entry.action])
  await sql`
    with counted as (
      update source_syncs set ${counter} = ${counter} + 1, bytes = bytes + ${entry.bytes}
      where org_id = ${orgId} and id = ${entry.syncId})
    insert into source_log (org_id, id, source_id, sync_id, action, path, file_id, reason, created_at)
    values (${orgId}, ${entry.id}, ${id}, ${entry.syncId}, ${entry.action}, ${entry.path}, ${entry.fileId},
      ${entry.reason}, ${entry.now})`
}

interface Completed {
  cursor: unknown
  nextAt: Date
  now: Date
}

/** Ends the sync. The cursor covers what it listed. */
export const complete = (sql: Sql, { orgId, id }: DueSource, { cursor, nextAt, now }: Completed) => sql`
  update knowledge_sources s set cursor = ${sql.json(cursor as never)}, progress = null, failures = 0,
    last_error = null, last_synced_at = ${now}, next_sync_at = ${nextAt}, due_at = ${nextAt}, requested = false,
    item_count = (select count(*) from source_items i where i.org_id = s.org_id and i.source_id = s.id)
  where s.org_id = ${orgId} and s.id = ${id}`

/** `requested` during the sync: starts another one at once. */
export const updateDue = (sql: Sql, { orgId, id, lease }: DueSource, at: Date) => sql`
  update knowledge_sources set due_at = ${at} where org_id = ${orgId} and id = ${id} and lease = ${lease}`

export async function recordFailure(
  sql: Sql,
  { orgId, id, lease }: DueSource,
  { error, retryAt }: { error: string; retryAt: (failures: number) => Date },
): Promise<number | null> {
  const [row] = await sql<{ failures: number }[]>`
    update knowledge_sources set failures = failures + 1, last_error = ${error}
    where org_id = ${orgId} and id = ${id} and lease = ${lease} returning failures`
  if (!row) return null
  const at = retryAt(row.failures)
  await sql`
    update knowledge_sources set due_at = ${at}, next_sync_at = ${at} where org_id = ${orgId} and id = ${id}`
  return row.failures
}

export async function updatePaused(
  sql: Sql,
  { orgId, id, lease }: DueSource,
  { reason, detail, now }: { reason: SourcePause; detail: string | null; now: Date },
): Promise<boolean> {
  const { count } = await sql`
    update knowledge_sources set paused_reason = ${reason}, paused_detail = ${detail}, paused_at = ${now},
      progress = null, due_at = null, next_sync_at = null, lease = lease + 1
    where org_id = ${orgId} and id = ${id} and lease = ${lease} and paused_reason is null`
  return count === 1
}

/** After the owner reconnected the account. */
export const resumeReconnected = (sql: Sql, orgId: string, connectionId: string, now: Date) => sql`
  update knowledge_sources set paused_reason = null, paused_detail = null, paused_at = null, failures = 0,
    last_error = null, next_sync_at = ${now}, due_at = ${now}, lease = lease + 1
  where org_id = ${orgId} and connection_id = ${connectionId} and paused_reason = 'connection_expired' and enabled`

export async function deleteOldLog(sql: Sql, { orgId, id }: DueSource): Promise<void> {
  await sql`
    delete from source_log l where l.org_id = ${orgId} and l.source_id = ${id} and l.id <= (
      select o.id from source_log o where o.org_id = ${orgId} and o.source_id = ${id}
      order by o.id desc offset ${SOURCE_LIMITS.log} limit 1)`
  await sql`
    delete from source_syncs y where y.org_id = ${orgId} and y.source_id = ${id} and y.id <= (
      select o.id from source_syncs o where o.org_id = ${orgId} and o.source_id = ${id}
      order by o.id desc offset ${SOURCE_LIMITS.syncs} limit 1)`
}

import type { Fragment, Sql } from '../../../../database/database.ts'
import { toSortKey } from '../../../../database/name-keys.ts'
import { type FileRow, selectFile } from '../records.ts'

export interface VersionRow {
  version: number
  current: boolean
  mimeType: string
  size: number
  sha256: string | null
  createdBy: string
  runId: string | null
  createdAt: string
}

export interface StoredContent {
  key: string
  mimeType: string
  size: number
  sha256: string
}

export const listVersions = (
  sql: Sql,
  orgId: string,
  fileId: string,
  { before, limit }: { before: number | null; limit: number },
) => sql<VersionRow[]>`
  select v.* from (
    (select f.content_number as version, true as current, f.mime_type as "mimeType", f.size,
      encode(f.sha256, 'hex') as sha256, coalesce(f.content_by, f.created_by) as "createdBy", f.run_id as "runId",
      coalesce(f.content_at, f.created_at) as "createdAt"
    from files f where f.org_id = ${orgId} and f.id = ${fileId})
    union all
    (select v.number, false, v.mime_type, v.size, encode(v.sha256, 'hex'), v.created_by, v.run_id, v.created_at
    from file_versions v
    where v.org_id = ${orgId} and v.file_id = ${fileId} ${before === null ? sql`` : sql`and v.number < ${before}`}
    order by v.number desc limit ${limit})
  ) v
  where ${before === null ? sql`true` : sql`v.version < ${before}`}
  order by v.version desc limit ${limit}`

export async function findVersion(sql: Sql, orgId: string, fileId: string, number: number) {
  const [row] = await sql<(StoredContent & { id: string; createdBy: string; current: boolean })[]>`
    select v.object_key as key, v.mime_type as "mimeType", v.size, encode(v.sha256, 'hex') as sha256, v.id,
      v.created_by as "createdBy", false as current
    from file_versions v where v.org_id = ${orgId} and v.file_id = ${fileId} and v.number = ${number}
    union all
    select f.object_key, f.mime_type, f.size, encode(f.sha256, 'hex'), f.id, f.created_by, true
    from files f where f.org_id = ${orgId} and f.id = ${fileId} and f.content_number = ${number}`
  return row ?? null
}

export async function findByContent(
  sql: Sql,
  orgId: string,
  fileId: string,
  { sha256, mimeType }: { sha256: string; mimeType: string },
): Promise<StoredContent | null> {
  const [row] = await sql<StoredContent[]>`
    select v.object_key as key, v.mime_type as "mimeType", v.size, ${sha256} as sha256 from file_versions v
    where v.org_id = ${orgId} and v.file_id = ${fileId} and v.sha256 = decode(${sha256}, 'hex')
      and v.mime_type = ${mimeType}
    order by v.number desc limit 1`
  return row ?? null
}

export interface Replacement extends StoredContent {
  id: string
  versionId: string
  runId: string | undefined
  by: string
  now: Date
}

export async function replaceContent(sql: Sql, orgId: string, change: Replacement): Promise<FileRow> {
  const { id, versionId, now } = change
  const [row] = await sql<FileRow[]>`
    with kept as (
      insert into file_versions (org_id, id, file_id, number, mime_type, size, object_key, sha256, run_id, created_by,
        created_at, replaced_at)
      select org_id, ${versionId}, id, content_number, mime_type, size, object_key, sha256, run_id,
        coalesce(content_by, created_by), coalesce(content_at, created_at), ${now}::timestamptz
      from files where org_id = ${orgId} and id = ${id}
    ), f as (
      update files set mime_type = ${change.mimeType}, size = ${change.size}, object_key = ${change.key},
        sha256 = decode(${change.sha256}, 'hex'), run_id = ${change.runId ?? null}, content_by = ${change.by},
        content_at = ${now}, content_number = content_number + 1, version = version + 1, updated_at = ${now}
      where org_id = ${orgId} and id = ${id}
      returning *
    ) ${selectFile(sql, null, sql`f`)}`
  return row!
}

/** Keeps versions that an undo needs. Returns the object keys. */
export async function deleteOldest(
  sql: Sql,
  orgId: string,
  fileId: string,
  keepCount: number,
): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    delete from file_versions v
    where v.org_id = ${orgId} and v.file_id = ${fileId} and v.number < (
      select f.content_number - ${keepCount}::int from files f where f.org_id = ${orgId} and f.id = ${fileId})
      and not exists (select from file_changes c where c.org_id = v.org_id and c.former_id = v.id)
    returning v.object_key as key`
  return rows.map(({ key }) => key)
}

export const listReplacedByDefault = (sql: Sql, before: Date, limit: number) => sql<
  { orgId: string; id: string }[]
>`
  select v.org_id as "orgId", v.id from file_versions v
  where ${isReplacedBefore(sql, before)} and not exists (select from file_retention r where r.org_id = v.org_id)
  order by v.replaced_at limit ${limit}`

export const listReplaced = (sql: Sql, orgId: string, before: Date, limit: number) => sql<{ id: string }[]>`
  select v.id from file_versions v where v.org_id = ${orgId} and ${isReplacedBefore(sql, before)}
  order by v.replaced_at limit ${limit}`

export const isReplacedBefore = (sql: Sql, before: Date): Fragment => sql`
  v.replaced_at < ${before}
  and not exists (select from file_changes c where c.org_id = v.org_id and c.former_id = v.id)`

export async function deleteVersions(sql: Sql, orgId: string, ids: string[]): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    delete from file_versions where org_id = ${orgId} and id = any(${ids}::uuid[]) returning object_key as key`
  return rows.map(({ key }) => key)
}

export async function lockFile(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const rows =
    await sql`select from files where org_id = ${orgId} and id = ${id} and deleted_at is null for update`
  return rows.length === 1
}

type NamedFile = Pick<FileRow, 'id' | 'name' | 'source' | 'size' | 'sha256' | 'updatedAt'>

/** At most two records per name: an upload becomes a version only if no other file has its name. */
export const listNamed = (sql: Sql, orgId: string, folderId: string, names: string[]) => sql<NamedFile[]>`
  select f.* from unnest(${names}::text[], ${names.map(toSortKey)}::text[]) n (name, sort_key)
  cross join lateral (
    select f.id, f.name, f.source, f.size, encode(f.sha256, 'hex') as sha256, f.updated_at as "updatedAt"
    from files f
    where f.org_id = ${orgId} and f.parent_id = ${folderId} and f.rank in (0, 1) and f.sort_key = n.sort_key
      and f.name = n.name and f.deleted_at is null and f.status = 'ready' and not f.protected
    order by f.id limit 2
  ) f`

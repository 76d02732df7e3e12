import type { Fragment, Sql } from '../../../database/database.ts'
import { toSearchKey, toSortKey } from '../../../database/name-keys.ts'
import type { Access, Viewer } from '../../projects/access/access.ts'
import { folderAccess } from './access.ts'
import { type FileRow, selectFile } from './records.ts'

export interface FoundFile extends FileRow {
  access: Access
}

/** Excludes trashed files. May return a pending upload. */
export async function findFile(sql: Sql, viewer: Viewer, id: string) {
  const [row] = await sql<
    FoundFile[]
  >`select f.* from (${selectFound(sql, viewer, id)}) f where access is not null`
  return row ?? null
}

export const listFiles = (sql: Sql, viewer: Viewer, ids: readonly string[]) => sql<FoundFile[]>`
  select f.* from (${selectFound(sql, viewer, ids)}) f where access is not null`

const selectFound = (sql: Sql, viewer: Viewer, id: string | readonly string[]): Fragment => sql`
  select f.*, ${folderAccess(sql, viewer, sql`f."projectId"`)} as access
  from (
    ${selectFile(sql, viewer)}
    where f.org_id = ${viewer.orgId} and ${typeof id === 'string' ? sql`f.id = ${id}` : sql`f.id = any(${[...id]}::uuid[])`}
      and f.deleted_at is null and p.trashed_by is null
  ) f offset 0` // Evaluates access once, although the outer query uses it twice.

/** No access check: the system finalizes uploads. */
export async function findUpload(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<FileRow[]>`
    ${selectFile(sql, null)}
    where f.org_id = ${orgId} and f.id = ${id} and f.deleted_at is null and p.trashed_by is null`
  return row ?? null
}

export async function findFileWithAncestors(sql: Sql, viewer: Viewer, id: string) {
  const { orgId } = viewer
  const [row] = await sql<(FoundFile & { ancestors: Ancestor[] })[]>`
    select f.*, array(
      select jsonb_build_object('id', a.id, 'name', a.name)
      from folders p, unnest(p.path) with ordinality step (id, depth)
      join files a on a.org_id = ${orgId} and a.id = step.id
      where p.org_id = ${orgId} and p.id = f."parentId" order by step.depth
    ) as ancestors
    from (${selectFound(sql, viewer, id)}) f where access is not null`
  return row ?? null
}

export async function isInFolder(sql: Sql, orgId: string, id: string, folderId: string): Promise<boolean> {
  if (id === folderId) return true
  const rows = await sql`
    select from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${orgId} and f.id = ${id} and p.path @> array[${folderId}::uuid]`
  return rows.length > 0
}

export interface Ancestor {
  id: string
  name: string
}

export interface NewFile {
  id: string
  parentId: string
  source: FileRow['source']
  name: string
  mimeType: string
  size?: number
  objectKey?: string
  /** Hexadecimal. */
  sha256?: string | null
  targetId?: string
  status?: FileRow['status']
  protected?: boolean
  tags?: string[] | undefined
  runId?: string | undefined
  createdBy: string
  now: Date
}

/** Foreign keys: insert into `folders` first for a folder, into `objects` for an upload. */
export async function insertFile(sql: Sql, orgId: string, file: NewFile): Promise<FileRow> {
  const [row] = await sql<FileRow[]>`
    with f as (
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
        target_id, status, protected, tags, run_id, created_by, created_at, updated_at)
      values (${orgId}, ${file.id}, ${file.parentId}, ${file.source}, ${file.name}, ${toSortKey(file.name)},
        ${toSearchKey(file.name)}, ${file.mimeType}, ${file.size ?? 0}, ${file.objectKey ?? null},
        decode(${file.sha256 ?? null}, 'hex'), ${file.targetId ?? null}, ${file.status ?? 'ready'},
        ${file.protected ?? false}, ${file.tags ?? []}, ${file.runId ?? null}, ${file.createdBy}, ${file.now}, ${file.now})
      returning *
    ) ${selectFile(sql, null, sql`f`)}`
  return row!
}

export interface FileChange {
  id: string
  name: string | undefined
  parentId: string | undefined
  tags: string[] | undefined
  /** Undefined skips the check. */
  version: string | undefined
  now: Date
}

/** Null if not editable, protected or outdated. */
export async function updateFile(sql: Sql, viewer: Viewer, change: FileChange) {
  const { id, name, parentId, tags, version, now } = change
  const movesOrRenames = name !== undefined || parentId !== undefined
  const [row] = await sql<FileRow[]>`
    with f as (
      update files f set
        name = ${name ?? sql`name`},
        sort_key = ${name === undefined ? sql`sort_key` : toSortKey(name)},
        search_key = ${name === undefined ? sql`search_key` : toSearchKey(name)},
        parent_id = ${parentId ?? sql`parent_id`},
        tags = ${tags ?? sql`tags`},
        version = version + 1, updated_at = ${now}
      where org_id = ${viewer.orgId} and id = ${id} and deleted_at is null
        and (${version ?? null}::text is null or version::text = ${version ?? null})
        ${movesOrRenames ? sql`and not protected` : sql``}
        and exists (
          select from folders p
          where p.org_id = f.org_id and p.id = case when f.source = 'folder' then f.id else f.parent_id end
            and p.trashed_by is null and ${folderAccess(sql, viewer, sql`p.project_id`)} = 'edit')
      returning *
    ) ${selectFile(sql, viewer, sql`f`)}`
  return row ?? null
}

import type { Sql } from '../../../../database/database.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import { isFolderVisible } from '../access.ts'
import { searchKeyOf, sortKeyOf } from '../names.ts'
import { FOLDER_TYPE } from '../records.ts'

/** Identifies stored content: hash, size and detected type. */
export interface ContentKey {
  mimeType: string
  size: number
  sha256: string
}

/** For each distinct content, the object of a file that the viewer sees, in the trash or not. */
export async function listObjectsByContent(
  sql: Sql,
  viewer: Viewer,
  contents: ContentKey[],
  lock: 'for key share' | 'none',
) {
  // The lock keeps a purge from removing the objects before the new records own them too.
  const lockClause = lock === 'none' ? sql`` : sql`for key share of o`
  return sql<(ContentKey & { key: string })[]>`
    select w.sha256, w.mime_type as "mimeType", w.size, match.key
    from unnest(${contents.map((w) => w.sha256)}::text[], ${contents.map((w) => w.mimeType)}::text[],
      ${contents.map((w) => w.size)}::bigint[]) w (sha256, mime_type, size)
    cross join lateral (
      select o.key from files f
      join objects o on o.org_id = f.org_id and o.key = f.object_key
      join folders d on d.org_id = f.org_id and d.id = f.parent_id
      where f.org_id = ${viewer.orgId} and f.sha256 = decode(w.sha256, 'hex') and f.status = 'ready'
        and f.mime_type = w.mime_type and f.size = w.size and ${isFolderVisible(sql, viewer, sql`d.project_id`)}
      limit 1 ${lockClause}
    ) match`
}

export interface NamedFolder {
  parentId: string
  name: string
}

/** The folders with these names that exist and are not trashed; of several with one name, the oldest comes first. */
export async function listFoldersNamed(sql: Sql, orgId: string, folders: NamedFolder[]) {
  return sql<(NamedFolder & { id: string })[]>`
    select f.id, f.parent_id as "parentId", f.name
    from unnest(${folders.map((f) => f.parentId)}::uuid[], ${folders.map((f) => f.name)}::text[],
      ${folders.map((f) => sortKeyOf(f.name))}::text[]) w (parent_id, name, sort_key)
    join files f on f.org_id = ${orgId} and f.parent_id = w.parent_id and f.rank = 0 and f.sort_key = w.sort_key
      and f.name = w.name and f.deleted_at is null and f.status = 'ready' and not f.protected
    order by f.id`
}

export interface Creation {
  createdBy: string
  now: Date
}

/** Inserts many folders in one statement; their parents must exist. */
export async function insertFolders(
  sql: Sql,
  orgId: string,
  folders: (NamedFolder & { id: string })[],
  by: Creation,
): Promise<void> {
  await sql`
    insert into folders (org_id, id, parent_id, path, project_id)
    select ${orgId}, made.id, made.parent_id, p.path || made.id, p.project_id
    from unnest(${folders.map((f) => f.id)}::uuid[], ${folders.map((f) => f.parentId)}::uuid[]) made (id, parent_id)
    join folders p on p.org_id = ${orgId} and p.id = made.parent_id`
  await sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, created_by, created_at,
      updated_at)
    select ${orgId}, made.id, made.parent_id, 'folder', made.name, made.sort_key, made.search_key, ${FOLDER_TYPE},
      ${by.createdBy}, ${by.now}, ${by.now}
    from unnest(${folders.map((f) => f.id)}::uuid[], ${folders.map((f) => f.parentId)}::uuid[],
      ${folders.map((f) => f.name)}::text[], ${folders.map((f) => sortKeyOf(f.name))}::text[],
      ${folders.map((f) => searchKeyOf(f.name))}::text[]) made (id, parent_id, name, sort_key, search_key)`
}

export interface NewRecord extends NamedFolder, ContentKey {
  id: string
  key: string
}

/** Inserts many uploads in one statement; their objects must exist. */
export async function insertUploads(
  sql: Sql,
  orgId: string,
  files: NewRecord[],
  by: Creation,
): Promise<void> {
  const column = (of: (file: NewRecord) => string | number) => files.map(of)
  await sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
      created_by, created_at, updated_at)
    select ${orgId}, made.id, made.parent_id, 'upload', made.name, made.sort_key, made.search_key, made.mime_type, made.size,
      made.key, decode(made.sha256, 'hex'), ${by.createdBy}, ${by.now}, ${by.now}
    from unnest(${column((f) => f.id)}::uuid[], ${column((f) => f.parentId)}::uuid[], ${column((f) => f.name)}::text[],
      ${column((f) => sortKeyOf(f.name))}::text[], ${column((f) => searchKeyOf(f.name))}::text[],
      ${column((f) => f.mimeType)}::text[], ${column((f) => f.size)}::bigint[], ${column((f) => f.key)}::text[],
      ${column((f) => f.sha256)}::text[])
      made (id, parent_id, name, sort_key, search_key, mime_type, size, key, sha256)`
}

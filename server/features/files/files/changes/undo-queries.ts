import type { Sql } from '../../../../database/database.ts'
import type { Access, Viewer } from '../../../projects/access/access.ts'
import { folderAccess } from '../access.ts'
import { searchKeyOf, sortKeyOf } from '../names.ts'
import { type FileRow, selectFile } from '../records.ts'

/** The folders with these ids, in the trash or not. */
export const listFolders = (sql: Sql, orgId: string, ids: string[]) => sql<
  { id: string; trashedBy: string | null }[]
>`
  select id, trashed_by as "trashedBy" from folders where org_id = ${orgId} and id = any(${ids}::uuid[])`

export interface CreatedFolder {
  id: string
  firstAt: string
}

/**
 * The folders of a run that contain files which the run neither created nor moved there. The copies in a copied
 * folder have the time of the folder; files that others added are newer than every folder of the run around them.
 */
export async function listInUse(
  sql: Sql,
  orgId: string,
  folders: readonly CreatedFolder[],
  createdOrMoved: readonly string[],
) {
  const ids = folders.map(({ id }) => id)
  const times = folders.map(({ firstAt }) => firstAt)
  const rows = await sql<{ id: string }[]>`
    select d.id from unnest(${ids}::uuid[]) d (id) where exists (
      select from folders p join files f on f.org_id = p.org_id and f.parent_id = p.id
      where p.org_id = ${orgId} and p.path @> array[d.id] and p.trashed_by is null and f.deleted_at is null
        and f.id <> all(${[...createdOrMoved]}::uuid[]) and f.updated_at > (
          select max(own.at) from unnest(${ids}::uuid[], ${times}::timestamptz[]) own (id, at)
          where own.id = any(p.path)))`
  return rows.map(({ id }) => id)
}

/** The viewer's access to the folders of these projects; null is the part outside of projects. */
export const listAccess = (sql: Sql, viewer: Viewer, projectIds: (string | null)[]) => sql<
  { access: Access | null }[]
>`
  select ${folderAccess(sql, viewer, sql`d.id`)} as access from unnest(${projectIds}::uuid[]) d (id)`

export interface RevertedFields {
  id: string
  name: string
  parentId: string
  tags: string[]
  /** Takes the file out of the trash. */
  isUntrashed: boolean
  version: number
  now: Date
}

export async function updateReverted(sql: Sql, viewer: Viewer, fields: RevertedFields) {
  const { id, name, parentId, tags, isUntrashed, version, now } = fields
  const [row] = await sql<FileRow[]>`
    with f as (
      update files f set name = ${name}, sort_key = ${sortKeyOf(name)}, search_key = ${searchKeyOf(name)},
        parent_id = ${parentId}, tags = ${tags}, version = ${version}, updated_at = ${now}
        ${isUntrashed ? sql`, deleted_at = null, trashed_from = null` : sql``}
      where org_id = ${viewer.orgId} and id = ${id}
      returning *
    ) ${selectFile(sql, viewer, sql`f`)}`
  return row!
}

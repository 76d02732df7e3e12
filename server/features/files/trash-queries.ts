import type { Sql } from '../../database/database.ts'
import { sortKeyOf } from './names.ts'
import type { Ancestor } from './queries.ts'
import { type FileRow, selectFile } from './records.ts'

/** Puts a record into the trash, with where it was. False if it cannot be reached any more. */
export async function updateDeleted(sql: Sql, orgId: string, id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update files f set deleted_at = ${now}, updated_at = ${now}, version = f.version + 1, trashed_from = coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by step.depth)
      from unnest(p.path) with ordinality step (id, depth)
      join files a on a.org_id = f.org_id and a.id = step.id
    ), '[]')
    from folders p
    where f.org_id = ${orgId} and f.id = ${id} and f.deleted_at is null and not f.protected
      and p.org_id = f.org_id and p.id = f.parent_id and p.trashed_by is null
    returning f.id`
  return rows.length > 0
}

/** An upload whose bytes never came leaves nothing to keep; what may have come of its object is swept with others. */
export async function deletePending(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const rows = await sql`
    delete from files where org_id = ${orgId} and id = ${id} and status = 'pending' returning id`
  return rows.length > 0
}

/** A record of any state, and whether it went to the trash itself or along with a folder. */
export interface TrashedRow {
  id: string
  parentId: string
  source: 'upload' | 'folder' | 'link'
  name: string
  protected: boolean
  isDeleted: boolean
  wentAlong: boolean
  /** The folders above it when it was deleted, from the root down. */
  trashedFrom: Ancestor[] | null
}

export async function findInTrash(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<TrashedRow[]>`
    select f.id, f.parent_id as "parentId", f.source, f.name, f.protected, f.deleted_at is not null as "isDeleted",
      f.deleted_at is null and p.trashed_by is not null as "wentAlong", f.trashed_from as "trashedFrom"
    from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${orgId} and f.id = ${id}`
  return row ?? null
}

export async function updateRestored(sql: Sql, orgId: string, id: string, parentId: string, now: Date) {
  const [row] = await sql<FileRow[]>`
    with f as (
      update files set deleted_at = null, trashed_from = null, parent_id = ${parentId}, version = version + 1,
        updated_at = ${now}
      where org_id = ${orgId} and id = ${id}
      returning *
    ) ${selectFile(sql, sql`f`)}`
  return row!
}

/** Of these folders, which may be gone, the ones that can be reached. */
export async function listReachable(sql: Sql, orgId: string, ids: string[]) {
  return sql<{ id: string }[]>`
    select id from folders where org_id = ${orgId} and id = any(${ids}::uuid[]) and trashed_by is null`
}

/** A folder of this very name that can be reached, the oldest if there are several. */
export async function findFolderNamed(sql: Sql, orgId: string, parentId: string, name: string) {
  const [row] = await sql<{ id: string }[]>`
    select id from files
    where org_id = ${orgId} and parent_id = ${parentId} and rank = 0 and sort_key = ${sortKeyOf(name)}
      and name = ${name} and deleted_at is null and status = 'ready'
    order by id limit 1`
  return row ?? null
}

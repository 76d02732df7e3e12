import type { Sql } from '../../../database/database.ts'
import { sortKeyOf } from '../names.ts'
import { type FileRow, selectFile } from '../records.ts'

/** Serializes writers of one name in one folder, so that two of them do not both create it. */
export async function lockName(sql: Sql, orgId: string, parentId: string, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`name ${orgId} ${parentId} ${name}`}, 0))`
}

/** Up to two of the files and links with exactly this name in the folder, the oldest first, locked. */
export const lockFilesNamed = (sql: Sql, orgId: string, parentId: string, name: string) => sql<
  Pick<FileRow, 'id' | 'source'>[]
>`
  select id, source from files
  where org_id = ${orgId} and parent_id = ${parentId} and rank = 1 and sort_key = ${sortKeyOf(name)}
    and name = ${name} and deleted_at is null and status = 'ready'
  order by id limit 2 for update`

interface Replacement {
  id: string
  /** The id under which the previous content is in the trash. */
  trashedId: string
  mimeType: string
  size: number
  sha256: string
  key: string
  /** The run that wrote the content. */
  runId: string | undefined
  now: Date
}

/**
 * Moves the record to the trash under another id, and inserts a record with the new content under its id. An update in
 * one row would lose the previous content, and the storage counters count rows that are inserted and deleted.
 */
export async function replaceContent(sql: Sql, orgId: string, change: Replacement): Promise<FileRow> {
  const { id, trashedId, now } = change
  await sql`
    update files f set id = ${trashedId}, deleted_at = ${now}, updated_at = ${now}, trashed_from = coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by step.depth)
      from folders p, unnest(p.path) with ordinality step (id, depth)
      join files a on a.org_id = ${orgId} and a.id = step.id
      where p.org_id = ${orgId} and p.id = f.parent_id
    ), '[]')
    where f.org_id = ${orgId} and f.id = ${id}`
  const [row] = await sql<FileRow[]>`
    with f as (
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
        tags, run_id, created_by, version, created_at, updated_at)
      select org_id, ${id}, parent_id, source, name, sort_key, search_key, ${change.mimeType}, ${change.size},
        ${change.key}, decode(${change.sha256}, 'hex'), tags, ${change.runId ?? null}, created_by, version + 1, created_at, ${now}
      from files where org_id = ${orgId} and id = ${trashedId}
      returning *
    ) ${selectFile(sql, null, sql`f`)}`
  return row!
}

import type { Fragment, Sql } from '../../../../database/database.ts'

/** A record at one time, as the changes of runs store it. */
export interface FileState {
  name: string
  /** The folder that contains it. */
  parentId: string
  /** The ids of the folders above it, from the root down. */
  path: string[]
  /** Their names, such as `/Plans/2026`. */
  folder: string
  projectId: string | null
  source: 'upload' | 'folder' | 'link'
  mimeType: string
  size: number
  sha256: string | null
  tags: string[]
  /** In the trash itself, not with a folder above it. */
  trashed: boolean
  version: number
}

/** The state of record `f` of `files`, in the folder `p` of `folders`. */
export const stateColumns = (sql: Sql): Fragment => sql`jsonb_build_object(
  'name', f.name, 'parentId', f.parent_id, 'path', to_jsonb(p.path), 'folder', '/' || coalesce((
    select string_agg(a.name, '/' order by step.depth) from unnest(p.path) with ordinality step (id, depth)
    join files a on a.org_id = f.org_id and a.id = step.id), ''),
  'projectId', p.project_id, 'source', f.source, 'mimeType', f.mime_type, 'size', f.size,
  'sha256', encode(f.sha256, 'hex'), 'tags', to_jsonb(f.tags), 'trashed', f.deleted_at is not null,
  'version', f.version)`

/** The record in any state, locked until the transaction ends; null if it does not exist. */
export async function lockState(sql: Sql, orgId: string, id: string): Promise<FileState | null> {
  const [row] = await sql<{ state: FileState }[]>`
    select ${stateColumns(sql)} as state
    from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${orgId} and f.id = ${id} for update of f`
  return row?.state ?? null
}

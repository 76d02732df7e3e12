import type { Sql } from '../../../../database/database.ts'
import type { FolderRow } from './folder-queries.ts'

/** The contents of a folder: its descendant folders, and the files in it and in them. */
export interface Subtree {
  folders: string[]
  files: string[]
  /** The number of folder levels below it. */
  height: number
  /** The size of the files, without links. */
  bytes: number
}

export async function listSubtree(
  sql: Sql,
  orgId: string,
  folderId: string,
  limit: number,
): Promise<Subtree> {
  const rows = await sql<{ id: string; depth: number }[]>`
    select s.id, cardinality(s.path) as depth from folders s
    where s.org_id = ${orgId} and s.path @> ${[folderId]}::uuid[] and s.trashed_by is null limit ${limit}`
  const files = await sql<{ id: string; bytes: number }[]>`
    select f.id, case f.source when 'upload' then f.size else 0 end as bytes from folders s join files f on f.org_id = s.org_id and f.parent_id = s.id
    where s.org_id = ${orgId} and s.path @> ${[folderId]}::uuid[] and s.trashed_by is null
      and f.source <> 'folder' and f.deleted_at is null and f.status = 'ready' limit ${limit}`
  const depths = rows.map(({ depth }) => depth)
  return {
    folders: rows.map(({ id }) => id).filter((id) => id !== folderId),
    files: files.map(({ id }) => id),
    height: Math.max(...depths) - Math.min(...depths),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

export interface Copies {
  /** From the id of each original to that of its copy. */
  ids: Map<string, string>
  folders: string[]
  files: string[]
  from: string
  to: Pick<FolderRow, 'id' | 'path' | 'projectId'>
  createdBy: string
  now: Date
}

/** Inserts the copies with their structure; a link whose target is copied too points to the copy. */
export async function insertCopies(sql: Sql, orgId: string, copies: Copies): Promise<void> {
  const { folders, files, from, to, ids } = copies
  const copyOf = (list: string[]) => list.map((id) => ids.get(id)!)
  const all = sql`copies (old, new) as (
    select * from unnest(${[from, ...folders, ...files]}::uuid[], ${[to.id, ...copyOf([...folders, ...files])]}::uuid[]))`
  if (folders.length > 0) {
    await sql`
      with ${all}
      insert into folders (org_id, id, parent_id, path, project_id)
      select s.org_id, own.new, parent.new, ${to.path}::uuid[] || array(
          select c.new from unnest(s.path) with ordinality step (id, depth) join copies c on c.old = step.id
          where step.id <> ${from} order by step.depth), ${to.projectId}
      from folders s join copies own on own.old = s.id join copies parent on parent.old = s.parent_id
      where s.org_id = ${orgId} and s.id = any(${folders}::uuid[])`
  }
  await sql`
    with ${all}
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
      target_id, tags, created_by, created_at, updated_at)
    select f.org_id, own.new, parent.new, f.source, f.name, f.sort_key, f.search_key, f.mime_type, f.size, f.object_key,
      f.sha256, coalesce(target.new, f.target_id), f.tags, ${copies.createdBy}, ${copies.now}, ${copies.now}
    from files f join copies own on own.old = f.id join copies parent on parent.old = f.parent_id
    left join copies target on target.old = f.target_id
    where f.org_id = ${orgId} and f.id = any(${[...folders, ...files]}::uuid[])`
}

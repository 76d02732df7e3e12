import type { Sql } from '../../../../database/database.ts'
import { sortKeyOf } from '../names.ts'
import type { FileRow } from '../records.ts'

export type NamedFile = Pick<FileRow, 'id' | 'name' | 'source' | 'size' | 'sha256' | 'updatedAt'>

/**
 * The records with these names in a folder, at most two of each: an upload becomes a version only if no other file has
 * its name. Folders of projects are left out.
 */
export const listNamed = (sql: Sql, orgId: string, folderId: string, names: string[]) => sql<NamedFile[]>`
  select f.* from unnest(${names}::text[], ${names.map(sortKeyOf)}::text[]) n (name, sort_key)
  cross join lateral (
    select f.id, f.name, f.source, f.size, encode(f.sha256, 'hex') as sha256, f.updated_at as "updatedAt"
    from files f
    where f.org_id = ${orgId} and f.parent_id = ${folderId} and f.rank in (0, 1) and f.sort_key = n.sort_key
      and f.name = n.name and f.deleted_at is null and f.status = 'ready' and not f.protected
    order by f.id limit 2
  ) f`

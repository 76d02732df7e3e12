import type { Pool } from '../../database/database.ts'
import { newId } from '../../security/ids.ts'
import { randomHex } from '../../security/random.ts'
import { seedWithoutIndexes } from './without-indexes.ts'

interface Owner {
  id: string
  orgId: string
}

export interface ManyFilesOptions {
  count: number
  parentId?: string
  /** Names start with this. Every second file is named `photo` instead, one in ten thousand `zebra`. */
  word?: string
}

/** Skips foreign key checks, which take most of the time. */
export async function seedManyFiles(
  sql: Pool,
  { id: userId, orgId }: Owner,
  { count, ...options }: ManyFilesOptions,
): Promise<void> {
  const { parentId = orgId, word = 'report' } = options
  const key = `${orgId}/${randomHex(16)}`
  await sql`insert into objects (org_id, key, stored_at, created_at) values (${orgId}, ${key}, now(), now())`
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, tags,
      created_by, created_at, updated_at)
    select ${orgId}, gen_random_uuid(), ${parentId}, 'upload', word || ' ' || n || '.pdf',
      word || ' ' || length(n::text) || n || '.pdf', word || ' ' || n || '.pdf', 'application/pdf', n % 5000, ${key},
      case when n % 1000 = 0 then '{common,rare}' else '{common}' end::text[], ${userId}, now(),
      now() - make_interval(secs => n)
    from generate_series(1, ${count}::int) n,
      lateral (select case when n % 10000 = 77 then 'zebra' when n % 2 = 0 then 'photo' else ${word} end as word) w`
  })
}

/** `wide` children each, `deep` levels. Returns the first level's ids. */
export async function seedManyFolders(
  sql: Pool,
  { id: userId, orgId }: Owner,
  { wide, deep, parentId = orgId }: { wide: number; deep: number; parentId?: string },
): Promise<string[]> {
  let parentIds = [parentId]
  let firstLevel: string[] = []
  for (let level = 1; level <= deep; level++) {
    const ids = parentIds.flatMap(() => Array.from({ length: wide }, () => newId()))
    const parents = parentIds.flatMap((id) => Array.from({ length: wide }, () => id))
    await sql`
      insert into folders (org_id, id, parent_id, path, project_id)
      select ${orgId}, made.id, made.parent_id, p.path || made.id, p.project_id
      from unnest(${ids}::uuid[], ${parents}::uuid[]) made (id, parent_id)
      join folders p on p.org_id = ${orgId} and p.id = made.parent_id`
    await sql`
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, created_by, created_at,
        updated_at)
      select ${orgId}, made.id, made.parent_id, 'folder', 'folder', 'folder', 'folder', 'inode/directory', ${userId},
        now(), now()
      from unnest(${ids}::uuid[], ${parents}::uuid[]) made (id, parent_id)`
    if (level === 1) firstLevel = ids
    parentIds = ids
  }
  return firstLevel
}

export async function seedProjectFolders(
  sql: Pool,
  { id: userId, orgId }: Owner,
  { count, workspaceId, visibility = 'team' }: ManyProjectsOptions,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  const folderIds = Array.from({ length: count }, () => newId())
  await sql`
    insert into projects (org_id, id, workspace_id, user_id, name, slug, search_key, visibility, changed_at, created_at,
      updated_at)
    select ${orgId}, id, ${workspaceId}, ${userId}, 'project', 'project-' || id, 'project', ${visibility}, now(), now(), now()
    from unnest(${ids}::uuid[]) id`
  await sql`
    insert into project_workspaces (org_id, project_id, workspace_id, listed, created_at)
    select ${orgId}, id, ${workspaceId}, ${visibility === 'team'}, now() from unnest(${ids}::uuid[]) id`
  await sql`
    insert into folders (org_id, id, parent_id, path, project_id)
    select ${orgId}, top, ${orgId}, array[${orgId}::uuid, top], id from unnest(${folderIds}::uuid[], ${ids}::uuid[]) made (top, id)`
  await sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, protected, created_by,
      created_at, updated_at)
    select ${orgId}, top, ${orgId}, 'folder', 'project', 'project', 'project', 'inode/directory', true, ${userId}, now(),
      now()
    from unnest(${folderIds}::uuid[]) top`
  return folderIds
}

interface ManyProjectsOptions {
  count: number
  workspaceId: string
  visibility?: 'team' | 'private'
}

export async function withoutIndexes<T>(sql: Pool, seed: () => Promise<T>): Promise<T> {
  const result = await seedWithoutIndexes(sql, ['files'], seed)
  await sql`vacuum (analyze, index_cleanup on) files, folders, objects, projects, project_workspaces`
  return result
}

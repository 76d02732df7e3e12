import type { Sql } from '../../server/database/database.ts'
import { newId } from '../../server/security/ids.ts'
import type { World } from './seed.ts'
import { uuid } from './seed-tables.ts'

const COLUMNS = `org_id, id, parent_id, source, name, sort_key, search_key, mime_type, created_by, created_at, updated_at`

/** Projects with their folders; files in the root, in one project and in the trash; links to files of other projects. */
export async function seedFiles(sql: Sql, world: World): Promise<void> {
  const { owner, workspaceId, smallWorkspaceId, linksFolderId, smallFolderId, projectFolderId } = world
  const { orgId } = owner
  const into = sql.unsafe(COLUMNS)
  const nameColumns = (id: string) => sql`
    word || ' ' || n, word || ' ' || length(n::text) || n, word || ' ' || n, ${id}, ${owner.id}, now(),
    now() - make_interval(secs => n)`
  const wordsFor = (count: number) => sql`generate_series(1, ${count}::int) n, lateral (
    select case when n % 100 = 77 then 'zebra' when n % 2 = 0 then 'photo' else 'report' end as word) w`
  const projects = wordsFor(world.count)
  const uploaded = wordsFor(world.uploads)
  const id = (prefix: string) => uuid(sql, prefix)

  await sql`
    insert into projects (org_id, id, workspace_id, user_id, name, slug, search_key, visibility, status, tags, sort_key,
      active_at, changed_at, created_at, updated_at, deleted_at)
    select ${orgId}, ${id('b')}, case n % 100 when 0 then ${smallWorkspaceId}::uuid else ${workspaceId} end, ${owner.id},
      word || ' ' || n, word || '-' || n, word || ' ' || n, case n % 100 when 4 then 'private' else 'team' end, case n % 100 when 1 then 'archived' else 'active' end,
      case n % 100 when 2 then '{common,rare}' else '{common}' end::text[], word || ' ' || n,
      now() - make_interval(secs => n % 1000), now(), now(), now(), case n % 100 when 3 then now() - make_interval(secs => n) end from ${projects}`
  await sql`
    insert into project_workspaces (org_id, project_id, workspace_id, listed, sort_key, active_at, created_at)
    select org_id, id, workspace_id, visibility = 'team' and deleted_at is null, sort_key, active_at, now() from projects
    where org_id = ${orgId} and id <> ${world.projectId}`
  await sql`
    insert into folders (org_id, id, parent_id, path, project_id, trashed_by)
    select ${orgId}, ${id('5')}, ${orgId}, array[${orgId}::uuid, ${id('5')}], ${id('b')}, case n % 100 when 3 then ${id('5')} end
    from ${projects}`
  await sql`
    insert into files (${into}, protected, deleted_at)
    select ${orgId}, ${id('5')}, ${orgId}, 'folder', ${nameColumns('inode/directory')}, true, case n % 100 when 3 then now() end
    from ${projects}`
  // Triggers maintain these columns, but are off here.
  await sql`
    update project_workspaces l set folder_id = f.id, folder_key = f.sort_key, folder_at = f.updated_at,
      audience_id = case when p.visibility = 'private' then p.user_id else l.workspace_id end
    from projects p, folders d, files f
    where l.org_id = ${orgId} and p.org_id = ${orgId} and p.id = l.project_id and d.org_id = ${orgId} and d.project_id = p.id
      and cardinality(d.path) = 2 and f.org_id = ${orgId} and f.id = d.id and f.deleted_at is null`

  const key = `${orgId}/${newId().replaceAll('-', '')}`
  await sql`insert into objects (org_id, key, stored_at, created_at) values (${orgId}, ${key}, now(), now())`
  for (const folderId of [linksFolderId, smallFolderId]) {
    await sql`
      insert into folders (org_id, id, parent_id, path) values (${orgId}, ${folderId}, ${orgId}, ${[orgId, folderId]})`
    await sql`
      insert into files (${into}) select ${orgId}, ${folderId}, ${orgId}, 'folder', ${nameColumns('inode/directory')}
      from ${uploaded} limit 1`
  }
  const upload = (prefix: string, parent: typeof into) => sql`
    select ${orgId}, ${id(prefix)}, ${parent}, 'upload', ${nameColumns('application/pdf')}, n % 5000, ${key},
      case n % 100 when 5 then '{common,rare}' else '{common}' end::text[]`
  const uploads = sql`insert into files (${into}, size, object_key, tags)`
  await sql`${uploads} ${upload('6', sql`${orgId}::uuid`)} from ${uploaded}`
  await sql`${uploads} ${upload('7', sql`${projectFolderId}::uuid`)} from ${uploaded} where n % 2 = 0`
  await sql`${uploads} ${upload('8', id('5') as typeof into)} from ${uploaded} where n % 2 = 0`
  await sql`${uploads} ${upload('9', sql`${smallFolderId}::uuid`)} from ${uploaded} where n <= 30`
  await sql`
    insert into files (${into}, target_id)
    select ${orgId}, ${id('0')}, ${linksFolderId}, 'link', ${nameColumns('application/pdf')}, ${id('8')} from ${uploaded}
    where n % 2 = 0`
  await sql`
    insert into files (${into}, size, object_key, tags, deleted_at, trashed_from)
    ${upload('f', sql`${orgId}::uuid`)}, now() - make_interval(secs => n), '[]' from ${uploaded} where n % 2 = 0`
}

import type { Pool } from '../../database/database.ts'
import { newId } from '../../security/ids.ts'

interface Owner {
  id: string
  orgId: string
}

interface ManyProjectsOptions {
  count: number
  /** Primary workspaces: the first has 90 % of the projects, and all share the rest. */
  workspaceIds: string[]
  visibility?: 'team' | 'private'
  deleted?: boolean
}

/**
 * Every second is named `plan`, one in ten thousand `zebra`. Every hundredth is archived, and the oldest 10 % are
 * completed.
 */
export async function seedManyProjects(
  sql: Pool,
  owner: Owner,
  { count, workspaceIds, ...options }: ManyProjectsOptions,
) {
  const { visibility = 'team', deleted = false } = options
  const batch = newId().slice(-12)
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into projects (org_id, id, workspace_id, user_id, name, slug, search_key, visibility, status, tags, sort_key,
        active_at, changed_at, created_at, updated_at, deleted_at)
      select ${owner.orgId}, (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-' || ${batch})::uuid,
        (${workspaceIds}::uuid[])[1 + case when n % 10 = 0 then n / 10 % ${workspaceIds.length} else 0 end],
        ${owner.id}, word || ' ' || n, word || '-' || n || '-' || ${batch}, word || ' ' || n, ${visibility},
        case when n % 100 = 0 then 'archived' when n <= ${count} / 10 then 'completed' else 'active' end,
        case when n % 1000 = 0 then '{common,rare}' else '{common}' end::text[], word || ' ' || n,
        now() - make_interval(secs => n % 1000), now(), now(), now(), case when ${deleted} then now() - make_interval(secs => n) end
      from generate_series(1, ${count}::int) n,
        lateral (select case when n % 10000 = 77 then 'zebra' when n % 2 = 0 then 'plan' else 'other' end as word) w`
    await tx`
      insert into project_workspaces (org_id, project_id, workspace_id, listed, sort_key, active_at, created_at)
      select org_id, id, workspace_id, visibility = 'team' and deleted_at is null, sort_key, active_at, created_at
      from projects
      where id::text like ${`%${batch}`}`
    await tx`
      insert into folders (org_id, id, parent_id, path, project_id)
      select org_id, id, org_id, array[org_id, id], id from projects where id::text like ${`%${batch}`}`
  })
}

export const vacuumProjects = (sql: Pool) => sql`vacuum analyze projects, project_workspaces, folders`

import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { type DetailsRow, detailColumns } from './records.ts'

interface NamedWorkspace {
  id: string
  name: string
}

/** The workspace if the caller may edit in it: any workspace for owners and admins. */
export async function findEditableWorkspace(sql: Sql, orgId: string, { userId, role }: Caller, id: string) {
  const [row] = await sql<NamedWorkspace[]>`
    select w.id, w.name from workspaces w
    where w.org_id = ${orgId} and w.id = ${id} and w.deleted_at is null and (${role} <> 'member' or exists (
      select from workspace_members m
      where m.org_id = w.org_id and m.workspace_id = w.id and m.user_id = ${userId} and m.role <> 'viewer'))`
  return row ?? null
}

/** Adds the project to a workspace, whose lists include it unless it is private. */
export async function insertProjectWorkspace(
  sql: Sql,
  orgId: string,
  { projectId, workspaceId, now }: { projectId: string; workspaceId: string; now: Date },
): Promise<void> {
  await sql`
    insert into project_workspaces (org_id, project_id, workspace_id, listed, sort_key, active_at, created_at)
    select org_id, id, ${workspaceId}, visibility = 'team', sort_key, active_at, ${now} from projects
    where org_id = ${orgId} and id = ${projectId}
    on conflict do nothing`
}

/** Removes the project from a workspace; null if it was not in it. */
export async function deleteProjectWorkspace(
  sql: Sql,
  orgId: string,
  projectId: string,
  workspaceId: string,
) {
  const [row] = await sql<NamedWorkspace[]>`
    delete from project_workspaces l using workspaces w
    where l.org_id = ${orgId} and l.project_id = ${projectId} and l.workspace_id = ${workspaceId}
      and w.org_id = l.org_id and w.id = l.workspace_id
    returning w.id, w.name`
  return row ?? null
}

export const updatePrimaryWorkspace = (sql: Sql, orgId: string, id: string, workspaceId: string) =>
  sql`update projects set workspace_id = ${workspaceId} where org_id = ${orgId} and id = ${id}`

/** Increments the version after the workspaces, which responses include, have changed. */
export async function updateVersion(sql: Sql, orgId: string, id: string, now: Date) {
  const [row] = await sql<Omit<DetailsRow, 'access'>[]>`
    update projects p set version = version + 1, updated_at = ${now}
    where p.org_id = ${orgId} and p.id = ${id} returning ${detailColumns(sql)}`
  return row!
}

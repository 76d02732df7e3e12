import type { Fragment, Sql } from '../../../database/database.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'
import { isWorkspaceVisible } from '../membership/membership.ts'

export interface WorkspaceRow {
  id: string
  name: string
  memberCount: number
  role: 'viewer' | 'editor' | 'admin' | null
  canEdit: boolean
  isDefault: boolean
  createdAt: string
  updatedAt: string
}

const selectVisible = (sql: Sql, orgId: string, userId: string, clauses: Fragment) => sql<WorkspaceRow[]>`
  select w.id, w.name, w.created_at as "createdAt", w.updated_at as "updatedAt",
    seat.role, m.role <> 'member' or coalesce(seat.role <> 'viewer', false) as "canEdit",
    m.default_workspace_id is not distinct from w.id as "isDefault", w.member_count as "memberCount"
  from memberships m join workspaces w on ${isWorkspaceVisible(sql)}
  left join lateral (
    select s.role from workspace_members s
    where s.org_id = w.org_id and s.workspace_id = w.id and s.user_id = m.user_id limit 1
  ) seat on true
  where m.org_id = ${orgId} and m.user_id = ${userId} ${clauses}`

export const listVisible = (sql: Sql, orgId: string, userId: string) =>
  selectVisible(sql, orgId, userId, sql`order by w.created_at, w.id`)

export async function findVisible(sql: Sql, orgId: string, userId: string, id: string) {
  const [row] = await selectVisible(sql, orgId, userId, sql`and w.id = ${id}`)
  return row ?? null
}

export async function insertWorkspace(
  sql: Sql,
  orgId: string,
  userId: string,
  workspace: { id: string; name: string; now: Date },
): Promise<void> {
  const { id, name, now } = workspace
  await sql`
    insert into workspaces (org_id, id, name, created_at, updated_at)
    values (${orgId}, ${id}, ${name}, ${now}, ${now})`
  await sql`
    insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
    values (${orgId}, ${id}, ${userId}, 'admin', ${now})`
}

export const updateName = (sql: Sql, orgId: string, id: string, change: { name: string; now: Date }) =>
  sql`update workspaces set name = ${change.name}, updated_at = ${change.now} where org_id = ${orgId} and id = ${id}`

export const updateDefault = (sql: Sql, orgId: string, userId: string, id: string) =>
  sql`update memberships set default_workspace_id = ${id} where org_id = ${orgId} and user_id = ${userId}`

export async function hasOtherWorkspace(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from workspaces where org_id = ${orgId} and id <> ${id} and deleted_at is null limit 1`
  return rows.length > 0
}

export const updateDeleted = (sql: Sql, orgId: string, id: string, now: Date) =>
  sql`
    with deleted as (
      update workspaces set deleted_at = ${now}, updated_at = ${now} where org_id = ${orgId} and id = ${id} returning id)
    select ${notifyAccessChanged(sql, { orgId })} from deleted`

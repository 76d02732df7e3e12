import type { z } from 'zod'
import type { WorkspaceMember } from '../../../../contract/organizations/workspaces.ts'
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

export type WorkspaceMemberRow = z.output<typeof WorkspaceMember>

const columns = (sql: Sql) => sql`u.id, u.name, u.email, wm.role, wm.created_at as "addedAt"`

export async function listWorkspaceMembers(
  sql: Sql,
  orgId: string,
  workspaceId: string,
  after: string | null,
  limit: number,
) {
  return sql<WorkspaceMemberRow[]>`
    select ${columns(sql)} from (
      select * from workspace_members where org_id = ${orgId} and workspace_id = ${workspaceId}
        and ${after ? sql`user_id > ${after}` : sql`true`}
      order by user_id limit ${limit}
    ) wm join users u on u.id = wm.user_id order by wm.user_id`
}

interface NewWorkspaceMember {
  userId: string
  role: WorkspaceMemberRow['role']
  now: Date
}

/** Null if the user isn't in the organization. */
export async function insertWorkspaceMember(
  sql: Sql,
  orgId: string,
  workspaceId: string,
  member: NewWorkspaceMember,
) {
  const [row] = await sql<WorkspaceMemberRow[]>`
    with wm as (
      insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
      select org_id, ${workspaceId}, user_id, ${member.role}, ${member.now} from memberships
      where org_id = ${orgId} and user_id = ${member.userId}
      on conflict (org_id, workspace_id, user_id) do update set role = excluded.role
      returning *
    )
    select ${columns(sql)}, ${notifyAccessChanged(sql, { userId: member.userId })} from wm join users u on u.id = wm.user_id`
  return row ?? null
}

/** Raises viewer to a higher role. Null if nothing changes. */
export async function insertInvitedMember(
  sql: Sql,
  orgId: string,
  workspaceId: string,
  member: NewWorkspaceMember,
) {
  const [row] = await sql<WorkspaceMemberRow[]>`
    with wm as (
      insert into workspace_members as was (org_id, workspace_id, user_id, role, created_at)
      values (${orgId}, ${workspaceId}, ${member.userId}, ${member.role}, ${member.now})
      on conflict (org_id, workspace_id, user_id) do update set role = excluded.role
        where was.role = 'viewer' and excluded.role <> 'viewer'
      returning *
    )
    select ${columns(sql)} from wm join users u on u.id = wm.user_id`
  return row ?? null
}

export async function deleteWorkspaceMember(sql: Sql, orgId: string, workspaceId: string, userId: string) {
  const [row] = await sql<{ id: string; name: string; email: string }[]>`
    with deleted as (
      delete from workspace_members
      where org_id = ${orgId} and workspace_id = ${workspaceId} and user_id = ${userId} returning user_id)
    select u.id, u.name, u.email, ${notifyAccessChanged(sql, { userId })} from deleted join users u on u.id = deleted.user_id`
  return row ?? null
}

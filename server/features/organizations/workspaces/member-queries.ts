import type { z } from 'zod'
import type { WorkspaceMember } from '../../../../contract/organizations/workspaces.ts'
import type { Sql } from '../../../database/database.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'

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

/** Adds a member or changes their role; null if the user is not a member of the organization. */
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

/** Adds an invited member, or raises viewer to a higher role. Null if nothing changes. */
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

/** The removed member; null if the user is not in the workspace. */
export async function deleteWorkspaceMember(sql: Sql, orgId: string, workspaceId: string, userId: string) {
  const [row] = await sql<{ id: string; name: string; email: string }[]>`
    with deleted as (
      delete from workspace_members
      where org_id = ${orgId} and workspace_id = ${workspaceId} and user_id = ${userId} returning user_id)
    select u.id, u.name, u.email, ${notifyAccessChanged(sql, { userId })} from deleted join users u on u.id = deleted.user_id`
  return row ?? null
}

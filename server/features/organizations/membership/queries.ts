import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { Sql } from '../../../database/database.ts'
import { isWorkspaceVisible } from './workspace-visibility.ts'

/**
 * Locks the organization until the transaction ends. Does not block statements that only reference it, such as a
 * sign-in. Returns its name; null if there is no such organization.
 */
export async function lockOrganizationRow(sql: Sql, orgId: string): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    select name from organizations where id = ${orgId} for no key update`
  return row?.name ?? null
}

export async function findRole(sql: Sql, orgId: string, userId: string): Promise<Role | null> {
  const [row] = await sql<{ role: Role }[]>`
    select role from memberships where org_id = ${orgId} and user_id = ${userId}`
  return row?.role ?? null
}

/**
 * Replaces default and active workspaces that the member can no longer see by the oldest workspace that they can see.
 * Applies to one user, or with null to every member of the organization.
 */
export async function reassignDefaultWorkspaces(
  sql: Sql,
  orgId: string,
  userId: string | null,
): Promise<void> {
  const isAffected = userId ? sql`m.user_id = ${userId}` : sql`true`
  await sql`
    update memberships m set default_workspace_id = (
      select w.id from workspaces w where ${isWorkspaceVisible(sql)} order by w.created_at, w.id limit 1)
    where m.org_id = ${orgId} and ${isAffected}
      and not exists (select from workspaces w where ${isWorkspaceVisible(sql)} and w.id = m.default_workspace_id)`
  await sql`
    update sessions s set workspace_id = m.default_workspace_id from memberships m
    where m.org_id = ${orgId} and ${isAffected} and s.org_id = m.org_id and s.user_id = m.user_id
      and not exists (select from workspaces w where ${isWorkspaceVisible(sql)} and w.id = s.workspace_id)`
}

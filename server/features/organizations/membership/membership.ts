/** Members' roles, and the workspaces they see. It has no endpoints. */

import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { RequiredRole } from '../../../../contract/endpoint.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { requireRole } from '../../../endpoint/permit.ts'
import { forbidden, notFound, raise } from '../../../errors.ts'

/**
 * Serializes member and workspace changes. Rereads the caller's role under the lock, in case they were demoted or
 * removed while waiting.
 */
export async function lockOrganization(ctx: Context, required?: RequiredRole): Promise<Role> {
  const { orgId, userId } = ctx.caller
  await lockOrganizationRow(ctx.sql, orgId)
  const role = (await findRole(ctx.sql, orgId, userId)) ?? raise(notFound('Organization'))
  requireRole(required, { role })
  return role
}

/** `records`, such as files, belong to the organization, so members need edit access in some workspace. */
export async function requireEditor({ sql, caller }: Context, records: string): Promise<void> {
  const [row] = await sql<{ allowed: boolean }[]>`select ${canEditSomewhere(sql, caller)} as allowed`
  if (row!.allowed) return
  throw forbidden(
    `You have view-only access to this organization’s ${records}: you can’t edit in any of its workspaces`,
    { reason: 'view_only' },
  )
}

/**
 * Owners and admins see all workspaces, members their own. `limit 1` makes it a lookup per workspace. Otherwise the
 * planner would read all members.
 */
export const isWorkspaceVisible = (sql: Sql) => sql`
  w.org_id = m.org_id and w.deleted_at is null and (m.role <> 'member' or (
    select true from workspace_members own
    where own.org_id = w.org_id and own.workspace_id = w.id and own.user_id = m.user_id limit 1))`

/** For records that all workspaces share. A viewer invite link gives only read access. */
export const canEditSomewhere = (
  sql: Sql,
  { orgId, userId, role }: Pick<Caller, 'orgId' | 'userId' | 'role'>,
): Fragment =>
  role === 'member'
    ? sql`exists (
        select from workspace_members m
        where m.org_id = ${orgId} and m.user_id = ${userId} and m.role <> 'viewer' and (
          select w.deleted_at is null from workspaces w where w.org_id = m.org_id and w.id = m.workspace_id limit 1))`
    : sql`true`

/** Doesn't block statements that only reference the organization, such as a sign-in. Returns its name. */
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
 * Replaces default and active workspaces that became invisible with the oldest visible one. A null `userId` means every
 * member.
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

import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

/**
 * The workspaces (`w`) that a membership (`m`) can see: owners and admins see every workspace of the organization, members
 * those they belong to. `limit 1` makes it a lookup for each workspace; otherwise the planner would read all members.
 */
export const isWorkspaceVisible = (sql: Sql) => sql`
  w.org_id = m.org_id and w.deleted_at is null and (m.role <> 'member' or (
    select true from workspace_members own
    where own.org_id = w.org_id and own.workspace_id = w.id and own.user_id = m.user_id limit 1))`

/**
 * Whether the caller can edit records that all workspaces share. Members can only if they can edit in a workspace: an invite link
 * for viewers gives read access alone.
 */
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

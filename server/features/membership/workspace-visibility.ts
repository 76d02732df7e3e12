import type { Sql } from '../../database/database.ts'

/**
 * The workspaces (`w`) that a membership (`m`) can see: owners and admins see every workspace of the organization, members
 * those they belong to. `limit 1` makes it a lookup for each workspace: the planner would read all members instead.
 */
export const isWorkspaceVisible = (sql: Sql) => sql`
  w.org_id = m.org_id and w.deleted_at is null and (m.role <> 'member' or (
    select true from workspace_members own
    where own.org_id = w.org_id and own.workspace_id = w.id and own.user_id = m.user_id limit 1))`

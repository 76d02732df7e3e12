import type { Sql } from '../../../database/database.ts'

/** The effects on accounts and sessions of joining and leaving an organization. */

interface ActiveWorkspace {
  orgId: string
  workspaceId: string | null
}

/** Locked before a user leaves an organization: else two concurrent calls could each move sessions to the organization of the other. */
export const lockUser = (sql: Sql, userId: string) =>
  sql`select from users where id = ${userId} for no key update`

/** The default workspace in another organization. Locked, so that the membership exists until the sessions have moved. */
export async function findOtherDefaultWorkspace(sql: Sql, orgId: string, userId: string) {
  const [row] = await sql<ActiveWorkspace[]>`
    select org_id as "orgId", default_workspace_id as "workspaceId" from memberships
    where user_id = ${userId} and org_id <> ${orgId} order by created_at, org_id limit 1 for key share`
  return row ?? null
}

export const moveSessions = (sql: Sql, orgId: string, userId: string, workspace: ActiveWorkspace) =>
  sql`update sessions set org_id = ${workspace.orgId}, workspace_id = ${workspace.workspaceId}
    where org_id = ${orgId} and user_id = ${userId}`

/** Sets organization and workspace of one session of the user. */
export const updateSessionWorkspace = (
  sql: Sql,
  orgId: string,
  workspaceId: string | null,
  session: { id: string; userId: string },
) =>
  sql`update sessions set org_id = ${orgId}, workspace_id = ${workspaceId}
    where id = ${session.id} and user_id = ${session.userId}`

export interface InvitedUser {
  id: string
  email: string
  name: string
  passwordHash: string
  /** True if the link was sent to the email address, which verifies it. */
  isVerified: boolean
  now: Date
}

/** Returns false if `isVerified` is set and another user has verified the email address. */
export async function insertInvitedUser(sql: Sql, user: InvitedUser): Promise<boolean> {
  const rows = await sql`
    insert into users (id, email, name, password_hash, email_verified_at, created_at, updated_at)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.isVerified ? user.now : null},
      ${user.now}, ${user.now})
    on conflict (lower(email)) where email_verified_at is not null do nothing returning id`
  return rows.length > 0
}

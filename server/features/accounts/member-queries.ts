import type { Sql } from '../../database/database.ts'

/** What joining and leaving organizations means for the account itself and for its sessions. */

interface ActiveWorkspace {
  orgId: string
  workspaceId: string | null
}

/** Two departures of one person follow each other, so that neither counts on the place that the other gives up. */
export const lockUser = (sql: Sql, userId: string) =>
  sql`select from users where id = ${userId} for no key update`

/** Where somebody goes who leaves this organization; held, so that it is still there when their sessions arrive. */
export async function findOtherDefaultWorkspace(sql: Sql, orgId: string, userId: string) {
  const [row] = await sql<ActiveWorkspace[]>`
    select org_id as "orgId", default_workspace_id as "workspaceId" from memberships
    where user_id = ${userId} and org_id <> ${orgId} order by created_at, org_id limit 1 for key share`
  return row ?? null
}

export const updateSessionsWorkspace = (sql: Sql, orgId: string, userId: string, place: ActiveWorkspace) =>
  sql`update sessions set org_id = ${place.orgId}, workspace_id = ${place.workspaceId}
    where org_id = ${orgId} and user_id = ${userId}`

/** Makes this organization the active one of a session. */
export const updateActiveWorkspace = (
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
  /** Where the link came by mail, which proves the address. */
  isVerified: boolean
  now: Date
}

/** False if the address was taken meanwhile. */
export async function insertInvitedUser(sql: Sql, user: InvitedUser): Promise<boolean> {
  const rows = await sql`
    insert into users (id, email, name, password_hash, email_verified_at, created_at, updated_at)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.isVerified ? user.now : null},
      ${user.now}, ${user.now})
    on conflict (lower(email)) do nothing returning id`
  return rows.length > 0
}

import type { PublicContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { organizationCreated } from '../hooks.ts'

/** An arbitrary advisory lock id, shared by all processes: two must not both create the first owner. */
const LOCK = 7_164_252

export const lockSetup = (sql: Sql) => sql`select pg_advisory_xact_lock(${LOCK})`

export async function hasUsers(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`select exists (select from users)`
  return row!.exists
}

export const insertSetupLink = (sql: Sql, tokenHash: Buffer, expiresAt: Date) =>
  sql`insert into setup_links (token_hash, expires_at) values (${tokenHash}, ${expiresAt})`

export async function isSetupLinkValid(sql: Sql, tokenHash: Buffer, now: Date): Promise<boolean> {
  const rows = await sql`select from setup_links where token_hash = ${tokenHash} and expires_at > ${now}`
  return rows.length > 0
}

export const deleteSetupLinks = (sql: Sql) => sql`delete from setup_links`

export const FIRST_WORKSPACE = 'General'

export interface NewOwner {
  userId: string
  email: string
  name: string
  passwordHash: string | null
  operator: boolean
  orgId: string
  organizationName: string
  workspaceId: string
  workspaceName: string
}

/**
 * Creates a user with a verified email address, an organization and a workspace. Returns false if another user has
 * verified the address.
 */
export async function insertOwner(
  inside: Pick<PublicContext<'hooks'>, 'hooks' | 'now' | 'sql'>,
  owner: NewOwner,
): Promise<boolean> {
  const { sql } = inside
  const now = inside.now()
  const { userId, orgId, workspaceId } = owner
  const inserted = await sql`
    insert into users (id, email, name, password_hash, email_verified_at, is_operator, created_at, updated_at)
    values (${userId}, ${owner.email}, ${owner.name}, ${owner.passwordHash}, ${now}, ${owner.operator}, ${now}, ${now})
    on conflict (lower(email)) where email_verified_at is not null do nothing returning id`
  if (inserted.length === 0) return false
  await sql`
    insert into organizations (id, name, created_at, updated_at)
    values (${orgId}, ${owner.organizationName}, ${now}, ${now})`
  await sql`
    insert into workspaces (org_id, id, name, created_at, updated_at)
    values (${orgId}, ${workspaceId}, ${owner.workspaceName}, ${now}, ${now})`
  await sql`
    insert into memberships (org_id, user_id, role, default_workspace_id, created_at)
    values (${orgId}, ${userId}, 'owner', ${workspaceId}, ${now})`
  await sql`
    insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
    values (${orgId}, ${workspaceId}, ${userId}, 'admin', ${now})`
  for (const onCreated of inside.hooks.all(organizationCreated)) await onCreated(inside, { orgId })
  return true
}

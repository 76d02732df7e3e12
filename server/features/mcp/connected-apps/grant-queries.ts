import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { Sql } from '../../../database/database.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'
import type { GrantAccess } from './oauth-protocol.ts'

interface NewGrant {
  id: string
  userId: string
  sessionId: string
  clientId: string
  clientName: string
  clientHost: string
  access: GrantAccess
  redirectUri: string
  challenge: string
  codeHash: Buffer
  codeExpiresAt: Date
  expiresAt: Date | null
  now: Date
}

export async function insertGrant(sql: Sql, orgId: string, grant: NewGrant): Promise<void> {
  await sql`
    insert into app_grants (org_id, id, user_id, session_id, client_id, client_name, client_host, access, redirect_uri,
      challenge, code_hash, code_expires_at, expires_at, created_at)
    values (${orgId}, ${grant.id}, ${grant.userId}, ${grant.sessionId}, ${grant.clientId}, ${grant.clientName},
      ${grant.clientHost}, ${grant.access}, ${grant.redirectUri}, ${grant.challenge}, ${grant.codeHash},
      ${grant.codeExpiresAt}, ${grant.expiresAt}, ${grant.now})`
}

/** Serializes approvals, so concurrent ones can't exceed the limit. */
export const lockUserGrants = (sql: Sql, orgId: string, userId: string) =>
  sql`select from memberships where org_id = ${orgId} and user_id = ${userId} for no key update`

/** Connected, or the code can still be exchanged. */
const isLive = (sql: Sql, now: Date) => sql`
  revoked_at is null and coalesce(refresh_until, code_expires_at) > ${now}
  and (expires_at is null or expires_at > ${now})`

export async function countGrants(sql: Sql, orgId: string, userId: string, now: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from app_grants where org_id = ${orgId} and user_id = ${userId} and call_id is null
      and ${isLive(sql, now)}`
  return row!.count
}

export interface GrantRow {
  id: string
  name: string
  host: string
  access: GrantAccess
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export const listGrants = (sql: Sql, orgId: string, userId: string, now: Date) => sql<GrantRow[]>`
  select id, client_name as name, client_host as host, access, created_at as "createdAt", last_used_at as "lastUsedAt",
    expires_at as "expiresAt"
  from app_grants where org_id = ${orgId} and user_id = ${userId} and code_used_at is not null and ${isLive(sql, now)}
  order by id desc`

export interface RevokedGrant {
  userId: string
  name: string
  host: string
}

/** A null `userId` matches any user. */
export async function updateRevoked(
  sql: Sql,
  orgId: string,
  { id, userId, now }: { id: string; userId: string | null; now: Date },
): Promise<RevokedGrant | null> {
  const [row] = await sql<RevokedGrant[]>`
    with gone as (
      update app_grants set revoked_at = ${now}
      where org_id = ${orgId} and id = ${id} and revoked_at is null
        and (${userId}::uuid is null or user_id = ${userId})
      returning user_id, client_name, client_host)
    select user_id as "userId", client_name as name, client_host as host from gone`
  if (row) await sql`select ${notifyAccessChanged(sql, { userId: row.userId })}`
  return row ?? null
}

export const revokeUserGrants = (sql: Sql, userId: string, now: Date) =>
  sql`update app_grants set revoked_at = ${now} where user_id = ${userId} and revoked_at is null`

export interface GrantCaller {
  id: string
  userId: string
  orgId: string
  workspaceId: string | null
  role: Role
  access: GrantAccess
  clientName: string
  projectId: string | null
  tools: string[]
  lastUsedAt: string | null
}

/** One indexed lookup, not cached, so revocation is immediate. */
export async function findGrantCaller(sql: Sql, hash: Buffer, now: Date): Promise<GrantCaller | null> {
  const [row] = await sql<GrantCaller[]>`
    select g.id, g.user_id as "userId", g.org_id as "orgId", m.default_workspace_id as "workspaceId", m.role, g.access,
      g.client_name as "clientName", g.project_id as "projectId", g.tools, g.last_used_at as "lastUsedAt"
    from app_tokens t
    join app_grants g on g.org_id = t.org_id and g.id = t.grant_id
    join memberships m on m.org_id = g.org_id and m.user_id = g.user_id
    where t.hash = ${hash} and t.kind = 'access' and t.expires_at > ${now} and g.revoked_at is null
      and (g.expires_at is null or g.expires_at > ${now})`
  return row ?? null
}

export const updateGrantsUsed = (sql: Sql, ids: string[], now: Date) =>
  sql`update app_grants set last_used_at = ${now} where id = any(${ids}::uuid[])`

import type { Sql } from '../../../../database/database.ts'
import { notifyAccessChanged } from '../../../../streams/notify.ts'

interface Security {
  email: string
  emailVerified: boolean
  hasPassword: boolean
  totp: boolean
  recoveryCodesLeft: number
}

export async function findSecurity(sql: Sql, userId: string) {
  const [row] = await sql<Security[]>`
    select email, email_verified_at is not null as "emailVerified", password_hash is not null as "hasPassword",
      totp_enabled_at is not null as totp,
      (select count(*) from recovery_codes where user_id = ${userId}) as "recoveryCodesLeft"
    from users where id = ${userId}`
  return row ?? null
}

interface PasskeyRow {
  id: string
  name: string
  synced: boolean
  lastUsedAt: string | null
  createdAt: string
}

export const listUserPasskeys = (sql: Sql, userId: string) => sql<PasskeyRow[]>`
  select id, name, synced, last_used_at as "lastUsedAt", created_at as "createdAt" from passkeys
  where user_id = ${userId} order by id`

export const listUserIdentities = (sql: Sql, userId: string) => sql<
  { id: string; provider: string; email: string | null; createdAt: string }[]
>`
  select id, provider, email, created_at as "createdAt" from identities
  where user_id = ${userId} order by created_at, provider, subject`

interface SessionSummary {
  id: string
  address: string
  userAgent: string | null
  createdAt: string
  lastSeenAt: string
}

export const listUserSessions = (sql: Sql, userId: string, now: Date) => sql<SessionSummary[]>`
  select id, address, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt"
  from sessions where user_id = ${userId} and expires_at > ${now} order by last_seen_at desc, id`

/** False if the user has no such session. */
export async function deleteUserSession(sql: Sql, userId: string, id: string): Promise<boolean> {
  const rows = await sql`
    with deleted as (delete from sessions where user_id = ${userId} and id = ${id} returning id)
    select ${notifyAccessChanged(sql, { userId })} from deleted`
  return rows.length > 0
}

/** Returns how many sessions ended. If `exceptId` is null, ends all the user's sessions. */
export async function deleteOtherSessions(
  sql: Sql,
  userId: string,
  exceptId: string | null,
): Promise<number> {
  const rows = await sql`
    with deleted as (delete from sessions where user_id = ${userId} and id is distinct from ${exceptId} returning id)
    select ${notifyAccessChanged(sql, { userId })} from deleted`
  return rows.length
}

export const updatePassword = (sql: Sql, userId: string, passwordHash: string, now: Date) =>
  sql`update users set password_hash = ${passwordHash}, updated_at = ${now} where id = ${userId}`

import type { Sql } from '../../../database/database.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'

/**
 * Returns the stored spelling of the email address: mail goes there, not to the spelling of the request. The row stays
 * locked until the transaction ends, so that no link goes to an address that the account has just changed.
 */
export async function findUserByEmail(sql: Sql, email: string) {
  const [row] = await sql<{ userId: string; email: string }[]>`
    select id as "userId", email from users where lower(email) = lower(${email}) for share`
  return row ?? null
}

/** Marks the email address as verified and clears password and TOTP; false if it was verified already. */
export async function updateClaimed(sql: Sql, userId: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update users set email_verified_at = ${now}, updated_at = ${now}, password_hash = null, totp_secret = null,
      totp_enabled_at = null, totp_last_step = null
    where id = ${userId} and email_verified_at is null returning id`
  return rows.length > 0
}

/** Deletes recovery codes, passkeys, identities, sessions and device logins, and revokes API keys, which it returns. */
export async function deleteCredentials(sql: Sql, userId: string, now: Date) {
  await sql`delete from recovery_codes where user_id = ${userId}`
  await sql`delete from passkeys where user_id = ${userId}`
  await sql`delete from identities where user_id = ${userId}`
  await sql`delete from sessions where user_id = ${userId}`
  await sql`delete from device_logins where user_id = ${userId}`
  await sql`select ${notifyAccessChanged(sql, { userId })}`
  return sql<{ orgId: string; id: string }[]>`
    update api_keys set revoked_at = ${now} where user_id = ${userId} and revoked_at is null
    returning org_id as "orgId", id`
}

export async function updateEmailVerified(sql: Sql, userId: string, now: Date) {
  const [row] = await sql<{ email: string }[]>`
    update users set email_verified_at = coalesce(email_verified_at, ${now}), updated_at = ${now}
    where id = ${userId} returning email`
  return row ?? null
}

/** Violates the unique index `users_email` if another user has the address. */
export const updateEmail = (sql: Sql, userId: string, email: string, now: Date) =>
  sql`update users set email = ${email}, email_verified_at = ${now}, updated_at = ${now} where id = ${userId}`

export async function findEmail(sql: Sql, userId: string) {
  const [row] = await sql<{ email: string; isVerified: boolean }[]>`
    select email, email_verified_at is not null as "isVerified" from users where id = ${userId}`
  return row ?? null
}

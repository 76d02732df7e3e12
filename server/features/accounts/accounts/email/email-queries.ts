import type { Language } from '../../../../../contract/languages.ts'
import type { Sql } from '../../../../database/database.ts'

/**
 * Returns the stored spelling: mail goes there, not to the request's. The row stays locked until the transaction ends,
 * so no link goes to an address the account has just changed.
 */
export async function findVerifiedUser(sql: Sql, email: string) {
  const [row] = await sql<{ userId: string; email: string; language: Language | null }[]>`
    select id as "userId", email, language from users
    where lower(email) = lower(${email}) and email_verified_at is not null for share`
  return row ?? null
}

export async function hasUnverifiedUser(sql: Sql, email: string): Promise<boolean> {
  const rows = await sql`
    select from users where lower(email) = lower(${email}) and email_verified_at is null limit 1`
  return rows.length > 0
}

/** Violates the unique index `users_email` if another user has verified the email address. */
export async function updateEmailVerified(sql: Sql, userId: string, now: Date) {
  const [row] = await sql<{ email: string }[]>`
    update users set email_verified_at = coalesce(email_verified_at, ${now}), updated_at = ${now}
    where id = ${userId} returning email`
  return row ?? null
}

/** Violates the unique index `users_email` if another user has verified the email address. */
export const updateEmail = (sql: Sql, userId: string, email: string, now: Date) =>
  sql`update users set email = ${email}, email_verified_at = ${now}, updated_at = ${now} where id = ${userId}`

export async function findEmail(sql: Sql, userId: string) {
  const [row] = await sql<{ email: string; isVerified: boolean; language: Language | null }[]>`
    select email, email_verified_at is not null as "isVerified", language from users where id = ${userId}`
  return row ?? null
}

/** The inviter’s if the recipient has no account. */
export async function findInvitedLanguage(
  sql: Sql,
  { email, inviterId }: { email: string; inviterId: string },
): Promise<Language | null> {
  const [row] = await sql<{ language: Language | null }[]>`
    select language from users
    where (lower(email) = lower(${email}) and email_verified_at is not null) or id = ${inviterId}
    order by (lower(email) = lower(${email}) and email_verified_at is not null) desc
    limit 1`
  return row?.language ?? null
}

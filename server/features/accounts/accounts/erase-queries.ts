import type { Sql } from '../../../database/database.ts'
import { deleteTokensOf } from '../../../one-time-tokens/one-time-tokens.ts'

/**
 * Removes name, email address and credentials of at most `limit` members who belong only to organizations that are
 * being erased. The row stays with its id, which rows of organizations that the person has left may refer to. Returns
 * how many. Operators keep their accounts.
 */
export async function eraseAccounts(
  sql: Sql,
  orgId: string,
  { erasing, limit }: { erasing: string[]; limit: number },
): Promise<number> {
  const erased = await sql<{ id: string }[]>`
    update users u set name = 'Erased account', email = ${addressOf(sql)}, password_hash = null, email_verified_at = null,
      totp_secret = null, totp_enabled_at = null, totp_last_step = null, settings = '{}', updated_at = now()
    where u.id in (
      select m.user_id from memberships m join users u on u.id = m.user_id
      where m.org_id = ${orgId} and not u.is_operator and u.email <> ${addressOf(sql)}
        and not exists (select from memberships o where o.user_id = m.user_id and o.org_id <> all(${erasing}::uuid[]))
      limit ${limit})
    returning u.id`
  const ids = erased.map(({ id }) => id)
  await sql`delete from passkeys where user_id = any(${ids}::uuid[])`
  await sql`delete from identities where user_id = any(${ids}::uuid[])`
  await sql`delete from recovery_codes where user_id = any(${ids}::uuid[])`
  await sql`delete from sessions where user_id = any(${ids}::uuid[])`
  await deleteTokensOf(sql, ids)
  return ids.length
}

/** Unique, and at a domain that cannot exist (RFC 2606). */
const addressOf = (sql: Sql) => sql`'erased-' || u.id || '@invalid'`

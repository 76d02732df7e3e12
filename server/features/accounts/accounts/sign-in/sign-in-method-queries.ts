import type { Sql } from '../../../../database/database.ts'

/** Serializes removals of sign-in methods: the second sees the result of the first. */
export const lockUserForUpdate = (sql: Sql, userId: string) =>
  sql`select from users where id = ${userId} for update`

export async function hasSignInMethod(sql: Sql, userId: string): Promise<boolean> {
  const [row] = await sql<{ any: boolean }[]>`
    select u.password_hash is not null or u.email_verified_at is not null
      or exists (select from passkeys where user_id = u.id)
      or exists (select from identities where user_id = u.id) as any
    from users u where u.id = ${userId}`
  return row?.any ?? false
}

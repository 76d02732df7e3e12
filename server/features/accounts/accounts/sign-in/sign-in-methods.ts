import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { conflict } from '../../../../errors.ts'

/**
 * Removes a sign-in method of the caller; throws CONFLICT if it is the last. A verified email address counts as one,
 * since a magic link can be sent to it.
 */
export async function removeSignInMethod(
  ctx: Context,
  remove: (inside: Context) => Promise<void>,
): Promise<void> {
  const { userId } = ctx.caller
  await ctx.transaction(async (inside) => {
    await lockUserForUpdate(inside.sql, userId)
    await remove(inside)
    if (await hasSignInMethod(inside.sql, userId)) return
    throw conflict(
      'This is your only sign-in method: set a password, add a passkey or verify your email address first',
    )
  })
}

/** Serializes removals of sign-in methods: the second sees the result of the first. */
const lockUserForUpdate = (sql: Sql, userId: string) => sql`select from users where id = ${userId} for update`

async function hasSignInMethod(sql: Sql, userId: string): Promise<boolean> {
  const [row] = await sql<{ any: boolean }[]>`
    select u.password_hash is not null or u.email_verified_at is not null
      or exists (select from passkeys where user_id = u.id)
      or exists (select from identities where user_id = u.id) as any
    from users u where u.id = ${userId}`
  return row?.any ?? false
}

import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { conflict } from '../../../../errors.ts'

/** Throws CONFLICT for the last method. A verified email address counts as one, since it can receive a magic link. */
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

/** Serializes removals: the second sees the first's result. */
const lockUserForUpdate = (sql: Sql, userId: string) => sql`select from users where id = ${userId} for update`

async function hasSignInMethod(sql: Sql, userId: string): Promise<boolean> {
  const [row] = await sql<{ any: boolean }[]>`
    select u.password_hash is not null or u.email_verified_at is not null
      or exists (select from passkeys where user_id = u.id)
      or exists (select from identities where user_id = u.id) as any
    from users u where u.id = ${userId}`
  return row?.any ?? false
}

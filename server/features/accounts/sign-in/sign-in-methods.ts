import type { Context } from '../../../context.ts'
import { conflict } from '../../../errors.ts'
import { hasSignInMethod, lockUserForUpdate } from './sign-in-method-queries.ts'

/**
 * Takes a way in from an account, unless it is the last. Whoever confirmed their address can always have a link
 * mailed; for others a last passkey or linked account may be the only way.
 */
export async function removeSignInMethod(
  ctx: Context,
  take: (inside: Context) => Promise<void>,
): Promise<void> {
  const { userId } = ctx.caller
  await ctx.transaction(async (inside) => {
    await lockUserForUpdate(inside.sql, userId)
    await take(inside)
    if (await hasSignInMethod(inside.sql, userId)) return
    throw conflict(
      'This is your only way to sign in: set a password, add a passkey or confirm your address first',
    )
  })
}

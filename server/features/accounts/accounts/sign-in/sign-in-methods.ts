import type { Context } from '../../../../context.ts'
import { conflict } from '../../../../errors.ts'
import { hasSignInMethod, lockUserForUpdate } from './sign-in-method-queries.ts'

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

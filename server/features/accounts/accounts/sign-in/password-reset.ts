import type { signIn } from '../../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Config } from '../../../../config/config.ts'
import type { PublicContext } from '../../../../context.ts'
import { raise } from '../../../../errors.ts'
import { peekToken } from '../../../../one-time-tokens/one-time-tokens.ts'
import { networkOf } from '../../../../security/client-network.ts'
import { newId } from '../../../../security/ids.ts'
import { hashPassword } from '../../../../security/passwords.ts'
import { linkExpired } from '../email/link-expired.ts'
import { consumeMailedLink } from '../email/mailed-link.ts'
import { sendPasswordReset } from '../jobs.ts'
import { recordUserAudit } from '../record-user-audit.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { replacePassword } from './password.ts'
import type { AdminResetLink } from './reset-link.ts'

/** Does the same work for every address: the job checks later whether it has an account, so that the response reveals nothing. */
export async function requestPasswordReset(
  ctx: PublicContext,
  { email }: InputOf<typeof signIn.requestPasswordReset>,
) {
  await ctx.enqueue(sendPasswordReset, { id: newId(), email })
  return { sent: ctx.mail.canSend }
}

/** A link does not open the step-up window, and a second factor is still required. */
export const resetPassword =
  (signup: Config['signup']) =>
  async (ctx: PublicContext, { token, password }: InputOf<typeof signIn.resetPassword>) => {
    // Hashing is expensive, so an invalid link is refused before it.
    const link = (await peekToken<AdminResetLink>(ctx, 'password-reset', token)) ?? raise(linkExpired())
    const passwordHash = await hashPassword(password, { lane: 'known', key: networkOf(ctx.origin.ip) })
    const userId = await ctx.transaction(async (inside) => {
      const account = await consumeMailedLink(inside, 'password-reset', token, { signup, passwordHash })
      if (account.isNew) return account.userId
      await replacePassword(inside, account.userId, passwordHash, null)
      await recordUserAudit(inside, account.userId, {
        action: 'password.changed',
        details: link.data.issuedBy
          ? { proof: 'link from an admin', issuedBy: link.data.issuedBy }
          : { proof: 'mailed link' },
      })
      return account.userId
    })
    return completeSignIn(ctx, userId, 'password-reset')
  }

import type { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { PublicContext } from '../../../context.ts'
import { raise } from '../../../errors.ts'
import { consumeUserToken, peekToken } from '../../../one-time-tokens/one-time-tokens.ts'
import { newId } from '../../../security/ids.ts'
import { hashPassword } from '../../../security/passwords.ts'
import { claimByVerifiedEmail } from '../email/claim-email.ts'
import { linkExpired } from '../email/link-expired.ts'
import { sendPasswordReset } from '../jobs.ts'
import { recordUserAudit } from '../record-user-audit.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { replacePassword } from './password.ts'

/** Does the same for every address; whether it belongs to somebody is found out later, in the job. */
export async function requestPasswordReset(
  ctx: PublicContext,
  { email }: InputOf<typeof signIn.requestPasswordReset>,
) {
  await ctx.enqueue(sendPasswordReset, { id: newId(), email })
  return { sent: true as const }
}

/** A mail proves less than a step-up does, and a second factor is still asked for. */
export async function resetPassword(
  ctx: PublicContext,
  { token, password }: InputOf<typeof signIn.resetPassword>,
) {
  // Hashing is dear: it is not done for whoever has no link.
  if (!(await peekToken(ctx, 'password-reset', token))) throw linkExpired()
  const passwordHash = await hashPassword(password)
  const userId = await ctx.transaction(async (inside) => {
    const owner = (await consumeUserToken(inside, 'password-reset', token)) ?? raise(linkExpired())
    await claimByVerifiedEmail(inside, owner.userId)
    await replacePassword(inside, owner.userId, passwordHash, null)
    await recordUserAudit(inside, owner.userId, {
      action: 'password.changed',
      details: { proof: 'mailed link' },
    })
    return owner.userId
  })
  return completeSignIn(ctx, userId, 'password-reset')
}

import type { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { PublicContext } from '../../../context.ts'
import { raise } from '../../../errors.ts'
import { consumeUserToken, revokeTokens } from '../../../one-time-tokens/one-time-tokens.ts'
import { newId } from '../../../security/ids.ts'
import { claimByVerifiedEmail } from '../email/claim-email.ts'
import { linkExpired } from '../email/link-expired.ts'
import { sendMagicLink } from '../jobs.ts'
import { completeSignIn } from './complete-sign-in.ts'

/** The same work for every address: the job checks later whether it has an account, so that the response reveals nothing. */
export async function requestMagicLink(
  ctx: PublicContext,
  { email, next }: InputOf<typeof signIn.sendMagicLink>,
) {
  await ctx.enqueue(sendMagicLink, { id: newId(), email, next: next ?? null })
  return { sent: true as const }
}

export async function signInByMagicLink(ctx: PublicContext, { token }: InputOf<typeof signIn.byMagicLink>) {
  const userId = await ctx.transaction(async (inside) => {
    const owner = (await consumeUserToken(inside, 'magic-link', token)) ?? raise(linkExpired())
    await claimByVerifiedEmail(inside, owner.userId)
    await revokeTokens(inside, 'magic-link', owner.userId)
    return owner.userId
  })
  return completeSignIn(ctx, userId, 'magic-link')
}

import type { signIn } from '../../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Config } from '../../../../config/config.ts'
import type { PublicContext } from '../../../../context.ts'
import { revokeTokens } from '../../../../one-time-tokens/one-time-tokens.ts'
import { newId } from '../../../../security/ids.ts'
import { consumeMailedLink } from '../email/mailed-link.ts'
import { sendMagicLink } from '../jobs.ts'
import { completeSignIn } from './complete-sign-in.ts'

/** Does the same work for every address: the job checks later whether it has an account, so that the response reveals nothing. */
export async function requestMagicLink(
  ctx: PublicContext,
  { email, next }: InputOf<typeof signIn.sendMagicLink>,
) {
  await ctx.enqueue(sendMagicLink, { id: newId(), email, next: next ?? null })
  return { sent: ctx.mail.canSend }
}

export const signInByMagicLink =
  (signup: Config['signup']) =>
  async (ctx: PublicContext, { token }: InputOf<typeof signIn.byMagicLink>) => {
    const userId = await ctx.transaction(async (inside) => {
      const account = await consumeMailedLink(inside, 'magic-link', token, { signup })
      await revokeTokens(inside, 'magic-link', account.userId)
      return account.userId
    })
    return completeSignIn(ctx, userId, 'magic-link')
  }

import type { signIn } from '../../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Config } from '../../../../config/config.ts'
import type { PublicContext } from '../../../../context.ts'
import { conflict, forbidden, raise } from '../../../../errors.ts'
import { consumeToken, peekToken } from '../../../../one-time-tokens/one-time-tokens.ts'
import { clientNetwork } from '../../../../security/client-network.ts'
import { newId } from '../../../../security/ids.ts'
import { hashPassword } from '../../../../security/passwords.ts'
import { linkExpired } from '../email/mailed-link.ts'
import type { PendingSignUp } from '../email/mails.ts'
import { openVerifiedAccount } from '../email/verified-account.ts'
import { sendSignUpLink } from '../jobs.ts'
import { hasUsers } from '../setup/setup-queries.ts'
import { createSession } from './complete-sign-in.ts'

type SignUpMode = Config['signup']

/** Creates nothing yet. Does the same work for every address: the job checks later whether it has an account. */
export const signUp =
  (mode: SignUpMode) =>
  async (ctx: PublicContext<'mail'>, { name, email, organizationName }: InputOf<typeof signIn.signUp>) => {
    requireOpen(mode)
    // The first account is the owner's, which the setup link creates.
    if (!(await hasUsers(ctx.sql))) throw signUpClosed('This server is not set up yet')
    await ctx.enqueue(sendSignUpLink, {
      ...{ id: newId(), name, email, organizationName },
      language: ctx.origin.language,
    })
    return { sent: ctx.mail.canSend }
  }

export const confirmSignUp =
  (mode: SignUpMode) =>
  async (
    ctx: PublicContext<'hooks' | 'suspensions' | 'vault'>,
    { token, password }: InputOf<typeof signIn.confirmSignUp>,
  ) => {
    requireOpen(mode)
    if (!(await peekToken(ctx, 'sign-up', token))) throw linkExpired()
    const passwordHash = await hashPassword(password, { lane: 'known', key: clientNetwork(ctx.origin.ip) })
    return ctx.transaction(async (inside) => {
      const { data } = (await consumeToken<PendingSignUp>(inside, 'sign-up', token)) ?? raise(linkExpired())
      const account = await openVerifiedAccount(inside, { ...data, passwordHash }, mode)
      if (!account?.isNew) {
        throw conflict('An account with this email address already exists: sign in instead')
      }
      return createSession(inside, account.userId, 'sign-up')
    })
  }

function requireOpen(mode: SignUpMode): void {
  if (mode !== 'open') throw signUpClosed('Sign-up is by invitation only: ask an admin to invite you')
}

const signUpClosed = (message: string) => forbidden(message, { reason: 'signup_closed' })

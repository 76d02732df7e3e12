import type { Config } from '../../../../config/config.ts'
import type { PublicContext } from '../../../../context.ts'
import { forbidden, raise, unauthorized } from '../../../../errors.ts'
import { consumeToken, consumeUserToken, peekToken } from '../../../../one-time-tokens/one-time-tokens.ts'
import { openVerifiedAccount } from './verified-account.ts'

/** Stored with a link to an address no account had verified when it was sent. */
export interface UnclaimedAddress {
  email: string
}

interface LinkOptions {
  signup: Config['signup']
  /** For a new account. */
  passwordHash?: string
}

export async function consumeMailedLink(
  inside: PublicContext<'hooks'>,
  kind: 'magic-link' | 'password-reset',
  token: string,
  { signup, passwordHash }: LinkOptions,
): Promise<{ userId: string; isNew: boolean }> {
  const stored = (await peekToken(inside, kind, token)) ?? raise(linkExpired())
  if (stored.userId) {
    const { userId } = (await consumeUserToken(inside, kind, token)) ?? raise(linkExpired())
    return { userId, isNew: false }
  }
  const { data } = (await consumeToken<UnclaimedAddress>(inside, kind, token)) ?? raise(linkExpired())
  const account = await openVerifiedAccount(inside, { email: data.email, passwordHash }, signup)
  return account ?? raise(forbidden('Sign-up is by invitation only', { reason: 'signup_closed' }))
}

/** The same error for every invalid link: unknown, used, expired or revoked. */
export const linkExpired = () =>
  unauthorized('This link has been used or has expired: request a new one', { reason: 'link_spent' })

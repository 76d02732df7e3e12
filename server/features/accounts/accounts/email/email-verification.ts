import type { signIn } from '../../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../../context.ts'
import { isUniqueViolation } from '../../../../database/pg-errors.ts'
import { conflict, forbidden, raise } from '../../../../errors.ts'
import { consumeUserToken, peekToken, revokeTokens } from '../../../../one-time-tokens/one-time-tokens.ts'
import { newId } from '../../../../security/ids.ts'
import { sendVerification } from '../jobs.ts'
import { findEmail, updateEmailVerified } from './email-queries.ts'
import { linkExpired } from './mailed-link.ts'

export async function requestVerification(ctx: Context<'mail'>) {
  const { userId } = ctx.caller
  if ((await findEmail(ctx.sql, userId))?.isVerified) throw conflict('Your email address is already verified')
  await ctx.enqueue(sendVerification, { id: newId(), userId })
  return { sent: ctx.mail.canSend }
}

/** With the link alone, an attacker could enter someone else's address and have them verify it with one click. */
export async function requireLinkOwner(
  ctx: PublicContext,
  kind: 'email-verification' | 'email-change',
  token: string,
): Promise<Caller> {
  const { caller } = ctx
  const stored = (await peekToken(ctx, kind, token)) ?? raise(linkExpired())
  if (caller?.via === 'session' && caller.userId === stored.userId) return caller
  throw forbidden('Sign in to this account, then open the link again', { reason: 'sign_in_first' })
}

export async function verifyEmail(ctx: PublicContext, { token }: InputOf<typeof signIn.verifyEmail>) {
  const caller = await requireLinkOwner(ctx, 'email-verification', token)
  return ctx.transaction(async (inside) => {
    if (!(await consumeUserToken(inside, 'email-verification', token))) throw linkExpired()
    await revokeTokens(inside, 'email-verification', caller.userId)
    const { email } = (await verifyAddress(inside, caller.userId)) ?? raise(linkExpired())
    await recordAudit(inside, { action: 'email.verified', by: caller })
    return { verified: true as const, email }
  })
}

/**
 * Call only if the caller has proved both: the address, by a mailed link, and the account, by its password or a
 * session.
 */
export async function verifyAddress(ctx: Pick<PublicContext, 'sql' | 'now'>, userId: string) {
  try {
    return await updateEmailVerified(ctx.sql, userId, ctx.now())
  } catch (error) {
    throw isUniqueViolation(error, 'users_email') ? addressTaken() : error
  }
}

/** Shown only to someone who has proved the address. */
const addressTaken = () =>
  conflict('Another account has verified this email address: sign in to that account instead')

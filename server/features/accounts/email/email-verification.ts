import type { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../context.ts'
import { conflict, forbidden, raise } from '../../../errors.ts'
import { consumeUserToken, peekToken, revokeTokens } from '../../../one-time-tokens/one-time-tokens.ts'
import { newId } from '../../../security/ids.ts'
import { sendVerification } from '../jobs.ts'
import { findEmail, updateEmailVerified } from './claim-email-queries.ts'
import { linkExpired } from './link-expired.ts'

export async function requestVerification(ctx: Context) {
  const { userId } = ctx.caller
  if ((await findEmail(ctx.sql, userId))?.isVerified) throw conflict('Your address is confirmed already')
  await ctx.enqueue(sendVerification, { id: newId(), userId })
  return { sent: true as const }
}

/**
 * Both halves are asked for: the mail, and a session of the account. Otherwise somebody could give their account
 * another person's address, and have that person confirm it with one careless click.
 */
export async function requireLinkOwner(
  ctx: PublicContext,
  kind: 'email-verification' | 'email-change',
  token: string,
): Promise<Caller> {
  const { caller } = ctx
  const ticket = (await peekToken(ctx, kind, token)) ?? raise(linkExpired())
  if (caller?.via === 'session' && caller.userId === ticket.userId) return caller
  throw forbidden('Sign in to this account, then follow the link again', { reason: 'sign_in_first' })
}

export async function verifyEmail(ctx: PublicContext, { token }: InputOf<typeof signIn.verifyEmail>) {
  const caller = await requireLinkOwner(ctx, 'email-verification', token)
  return ctx.transaction(async (inside) => {
    if (!(await consumeUserToken(inside, 'email-verification', token))) throw linkExpired()
    await revokeTokens(inside, 'email-verification', caller.userId)
    const { email } =
      (await updateEmailVerified(inside.sql, caller.userId, ctx.now())) ?? raise(linkExpired())
    await recordAudit(inside, { action: 'email.verified', by: caller })
    return { verified: true as const, email }
  })
}

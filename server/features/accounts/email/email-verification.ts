import type { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAct } from '../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../context.ts'
import { conflict, forbidden, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { verificationAsked } from '../jobs.ts'
import { findAddress, updateVerified } from './claim-email-queries.ts'
import { linkSpent, peekTicket, revokeTickets, usePersonalTicket } from './one-time-tokens.ts'

export async function sendVerification(ctx: Context) {
  const { userId } = ctx.caller
  if ((await findAddress(ctx.sql, userId))?.isVerified) throw conflict('Your address is confirmed already')
  await ctx.enqueue(verificationAsked, { id: newId(), userId })
  return { sent: true as const }
}

/**
 * Both halves are asked for: the mail, and a session of the account. Otherwise somebody could give their account
 * another person's address, and have that person confirm it with one careless click.
 */
export async function followerOf(
  ctx: PublicContext,
  kind: 'email-verification' | 'email-change',
  token: string,
): Promise<Caller> {
  const { caller } = ctx
  const ticket = (await peekTicket(ctx, kind, token)) ?? raise(linkSpent())
  if (caller?.via === 'session' && caller.userId === ticket.userId) return caller
  throw forbidden('Sign in to this account, then follow the link again', { reason: 'sign_in_first' })
}

export async function verifyEmail(ctx: PublicContext, { token }: InputOf<typeof signIn.verifyEmail>) {
  const caller = await followerOf(ctx, 'email-verification', token)
  return ctx.transaction(async (inside) => {
    if (!(await usePersonalTicket(inside, 'email-verification', token))) throw linkSpent()
    await revokeTickets(inside, 'email-verification', caller.userId)
    const { email } = (await updateVerified(inside.sql, caller.userId, ctx.now())) ?? raise(linkSpent())
    await recordAct(inside, { action: 'email.verified', by: caller })
    return { verified: true as const, email }
  })
}

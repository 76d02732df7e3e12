import type { security } from '../../../../contract/accounts/security.ts'
import type { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAct } from '../../../audit/record.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { isUniqueViolation } from '../../../database/pg-errors.ts'
import { badField, conflict, notFound, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { emailChangeAsked } from '../jobs.ts'
import { deleteOtherSessions } from '../sessions/security-queries.ts'
import { findAddress, updateAddress } from './claim-email-queries.ts'
import type { EmailChange } from './email-links.ts'
import { followerOf } from './email-verification.ts'
import { linkSpent, revokeEveryTicket, revokeTickets, usePersonalTicket } from './one-time-tokens.ts'

/** Does the same for every address; whether somebody has it is found out later, in the job. */
export async function requestEmailChange(
  ctx: Context,
  { email }: InputOf<typeof security.requestEmailChange>,
) {
  const { userId } = ctx.caller
  const { email: from } = (await findAddress(ctx.sql, userId)) ?? raise(notFound('User'))
  if (from.toLowerCase() === email) throw badField('body.email', 'is your address already')
  await ctx.transaction(async (inside) => {
    await revokeTickets(inside, 'email-change', userId)
    await recordAct(inside, {
      action: 'email.change-requested',
      by: ctx.caller,
      details: { from, to: email },
      noticeTo: from,
    })
    await inside.enqueue(emailChangeAsked, { id: newId(), userId, email })
  })
  return { sent: true as const }
}

/** Whoever else is signed in, or reads the mail of the old address, does not come along. */
export async function changeEmail(ctx: PublicContext, { token }: InputOf<typeof signIn.changeEmail>) {
  const caller = await followerOf(ctx, 'email-change', token)
  const { userId } = caller
  const change = ctx.transaction(async (inside) => {
    const { data } =
      (await usePersonalTicket<EmailChange>(inside, 'email-change', token)) ?? raise(linkSpent())
    const { email: from } = (await findAddress(inside.sql, userId)) ?? raise(linkSpent())
    await updateAddress(inside.sql, userId, data.email, ctx.now())
    await deleteOtherSessions(inside.sql, userId, caller.credentialId)
    await revokeEveryTicket(inside, userId)
    await recordAct(inside, {
      action: 'email.changed',
      by: caller,
      details: { from, to: data.email },
      noticeTo: from,
    })
    return { changed: true as const, email: data.email }
  })
  return change.catch((error: unknown) => {
    throw isUniqueViolation(error, 'users_email')
      ? conflict('Somebody has got this address meanwhile')
      : error
  })
}

import type { security } from '../../../../../contract/accounts/security.ts'
import type { signIn } from '../../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { isUniqueViolation } from '../../../../database/pg-errors.ts'
import { badField, conflict, notFound, raise } from '../../../../errors.ts'
import { consumeUserToken, revokeTokens } from '../../../../one-time-tokens/one-time-tokens.ts'
import { newId } from '../../../../security/ids.ts'
import { sendEmailChangeLink } from '../jobs.ts'
import { endOtherAccess } from '../sessions/end-access.ts'
import { findEmail, updateEmail } from './email-queries.ts'
import { requireLinkOwner } from './email-verification.ts'
import { linkExpired } from './mailed-link.ts'
import type { PendingEmailChange } from './mails.ts'

/** Does the same work for every address: the job checks later whether it's in use, so the response reveals nothing. */
export async function requestEmailChange(
  ctx: Context<'mail'>,
  { email }: InputOf<typeof security.requestEmailChange>,
) {
  const { userId } = ctx.caller
  const { email: from } = (await findEmail(ctx.sql, userId)) ?? raise(notFound('User'))
  if (from.toLowerCase() === email) throw badField('body.email', 'is already your email address')
  await ctx.transaction(async (inside) => {
    await revokeTokens(inside, 'email-change', userId)
    await recordAudit(inside, {
      action: 'email.change-requested',
      by: ctx.caller,
      details: { from, to: email },
      noticeTo: from,
    })
    await inside.enqueue(sendEmailChangeLink, { id: newId(), userId, email, language: ctx.origin.language })
  })
  return { sent: ctx.mail.canSend }
}

export async function changeEmail(
  ctx: PublicContext<'hooks'>,
  { token }: InputOf<typeof signIn.changeEmail>,
) {
  const caller = await requireLinkOwner(ctx, 'email-change', token)
  const { userId } = caller
  const change = ctx.transaction(async (inside) => {
    const { data } =
      (await consumeUserToken<PendingEmailChange>(inside, 'email-change', token)) ?? raise(linkExpired())
    const { email: from } = (await findEmail(inside.sql, userId)) ?? raise(linkExpired())
    await updateEmail(inside.sql, userId, data.email, ctx.now())
    await endOtherAccess(inside, userId, caller.credentialId)
    await recordAudit(inside, {
      action: 'email.changed',
      by: caller,
      details: { from, to: data.email },
      noticeTo: from,
    })
    return { changed: true as const, email: data.email }
  })
  return change.catch((error: unknown) => {
    throw isUniqueViolation(error, 'users_email') ? conflict('This email address is already in use') : error
  })
}

import type { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { PublicContext } from '../../../context.ts'
import { raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { proveAddress } from '../email/claim-email.ts'
import { linkSpent, revokeTickets, usePersonalTicket } from '../email/one-time-tokens.ts'
import { magicLinkAsked } from '../jobs.ts'
import { arrive } from './complete-sign-in.ts'

/** Does the same for every address; whether it belongs to somebody is found out later, in the job. */
export async function sendMagicLink(
  ctx: PublicContext,
  { email, next }: InputOf<typeof signIn.sendMagicLink>,
) {
  await ctx.enqueue(magicLinkAsked, { id: newId(), email, next: next ?? null })
  return { sent: true as const }
}

export async function signInByMagicLink(ctx: PublicContext, { token }: InputOf<typeof signIn.byMagicLink>) {
  const userId = await ctx.transaction(async (inside) => {
    const owner = (await usePersonalTicket(inside, 'magic-link', token)) ?? raise(linkSpent())
    await proveAddress(inside, owner.userId)
    await revokeTickets(inside, 'magic-link', owner.userId)
    return owner.userId
  })
  return arrive(ctx, userId, 'magic-link')
}

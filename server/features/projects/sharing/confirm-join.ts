import type { InputOf } from '../../../../contract/endpoint.ts'
import type { sharing } from '../../../../contract/projects/sharing.ts'
import type { PublicContext } from '../../../context.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { consumeToken, peekToken } from '../../../one-time-tokens/one-time-tokens.ts'
import { networkOf } from '../../../security/client-network.ts'
import { newId } from '../../../security/ids.ts'
import { hashPassword } from '../../../security/passwords.ts'
import { createSession, insertInvitedUser, linkExpired } from '../../accounts/accounts/accounts.ts'
import { findInvite, join, needsConfirmation, withProject } from './accept-invite.ts'
import { findOpenInvite } from './invite-queries.ts'
import { sendJoinLink } from './jobs.ts'
import type { PendingJoin } from './join-mail.ts'

/** Creates nothing yet. Does the same work for every address: the job checks later whether an account has it. */
export async function requestToJoin(
  ctx: PublicContext,
  { token, name, email }: InputOf<typeof sharing.requestToJoin>,
) {
  const invite = await findInvite(ctx, token)
  if (!needsConfirmation(ctx, invite)) {
    throw conflict('This invitation needs no confirmation of the email address: accept it')
  }
  await ctx.enqueue(sendJoinLink, { id: newId(), orgId: invite.orgId, inviteId: invite.id, name, email })
  return { sent: true as const }
}

/** Creates the account with a verified email address, and joins. */
export async function confirmJoin(
  ctx: PublicContext,
  { token, password }: InputOf<typeof sharing.confirmJoin>,
) {
  if (!(await peekToken(ctx, 'join', token))) throw linkExpired()
  const passwordHash = await hashPassword(password, { lane: 'known', key: networkOf(ctx.origin.ip) })
  return ctx.transaction(async (inside) => {
    const { data } = (await consumeToken<PendingJoin>(inside, 'join', token)) ?? raise(linkExpired())
    const { orgId, inviteId, name, email } = data
    ctx.suspensions.requireOpenToGuests(orgId)
    const invite =
      (await findOpenInvite(inside.sql, orgId, inviteId, ctx.now())) ?? raise(notFound('Invitation'))
    const user = { id: newId(), email, name, passwordHash, isVerified: true, now: ctx.now() }
    if (!(await insertInvitedUser(inside.sql, user))) {
      throw conflict(`${email} already has an account: sign in, then open the invitation link again`)
    }
    await join(inside, invite, user.id)
    const workspace = { orgId, workspaceId: invite.workspaceId }
    return withProject(await createSession(inside, user.id, 'invite', { workspace }), invite)
  })
}

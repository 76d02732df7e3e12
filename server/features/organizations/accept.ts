import type { InputOf } from '../../../contract/endpoint.ts'
import type { invites } from '../../../contract/organizations/invites.ts'
import type { Caller, Context, PublicContext } from '../../context.ts'
import { requireBrowser } from '../../endpoint/step-up.ts'
import { badField, conflict, notFound, raise, unauthorized } from '../../errors.ts'
import { sha256 } from '../../security/digest.ts'
import { newId } from '../../security/ids.ts'
import { hashPassword, verifyPassword } from '../../security/passwords.ts'
import {
  consumeAttempt,
  createSession,
  findPassword,
  insertInvitedUser,
  readSession,
  requireSecondFactor,
  updateActiveWorkspace,
  updateEmailVerified,
} from '../accounts/accounts.ts'
import { lockOrganizationRow } from '../membership/membership.ts'
import { deleteInvite, findInviteByToken, type InviteRow } from './invite-queries.ts'
import { joinOrganization } from './join.ts'
import { parseInvitedUser } from './parse-invited-user.ts'

const ATTEMPTS = { name: 'invite-password', capacity: 5, perSeconds: 300 }

type Input = InputOf<typeof invites.accept>
type Account = NonNullable<Awaited<ReturnType<typeof findPassword>>>

/** Requires the token of the emailed link. */
export async function readInvite(ctx: PublicContext, { token }: InputOf<typeof invites.read>) {
  const { orgId, orgName, email, role, inviterName } = await findInvite(ctx, token)
  const account = await findPassword(ctx.sql, email)
  return {
    organization: { id: orgId, name: orgName },
    email,
    role,
    invitedBy: inviterName,
    hasAccount: account !== null,
  }
}

/** The link proves the email address; an existing account has to authenticate as well. */
export async function acceptInvite(ctx: PublicContext, input: Input) {
  const invite = await findInvite(ctx, input.token)
  const account = await findPassword(ctx.sql, invite.email)
  if (ctx.caller) return acceptSignedIn({ ...ctx, caller: ctx.caller } as Context, invite, account)
  return account ? acceptWithPassword(ctx, invite, account, input) : acceptAsNewUser(ctx, invite, input)
}

/** Activates the organization in the session. An API key is refused: it could otherwise obtain a session. */
async function acceptSignedIn(ctx: Context, invite: InviteRow, account: Account | null) {
  const { caller } = ctx
  requireBrowser(caller, 'Accepting an invitation')
  if (account?.userId !== caller.userId) {
    throw conflict(
      `This invitation is for ${invite.email}, and you are signed in as another user: sign out first`,
    )
  }
  const { orgId } = invite
  const workspaceId = await ctx.transaction(async (inside) => {
    await consumeInvite(inside, invite)
    const joined = await join(inside, invite, caller.userId)
    await updateActiveWorkspace(inside.sql, orgId, joined, {
      id: caller.credentialId,
      userId: caller.userId,
    })
    return joined
  })
  const switched: Caller = { ...caller, orgId, workspaceId }
  return readSession({ ...ctx, caller: switched })
}

/**
 * Joins only after full authentication: with a second factor the invitation stays open, and the session that the second
 * factor creates accepts it.
 */
async function acceptWithPassword(
  ctx: PublicContext,
  invite: InviteRow,
  account: Account,
  { password }: Input,
) {
  if (password === undefined) throw badField('body.password', 'is required, or sign in first')
  await consumeAttempt(ctx, ATTEMPTS, invite.id)
  if (!(await verifyPassword(account.passwordHash, password))) {
    throw unauthorized('The email address or the password is wrong')
  }
  await requireSecondFactor(ctx, account.userId, 'password')
  return ctx.transaction(async (inside) => {
    await consumeInvite(inside, invite)
    const workspaceId = await join(inside, invite, account.userId)
    return createSession(inside, account.userId, 'password', {
      workspace: { orgId: invite.orgId, workspaceId },
      passwordHash: account.passwordHash ?? undefined,
    })
  })
}

async function acceptAsNewUser(ctx: PublicContext, invite: InviteRow, input: Input) {
  const { name, password } = parseInvitedUser(input)
  const passwordHash = await hashPassword(password)
  const user = { id: newId(), email: invite.email, name, passwordHash, isVerified: true }
  return ctx.transaction(async (inside) => {
    await consumeInvite(inside, invite)
    if (!(await insertInvitedUser(inside.sql, { ...user, now: ctx.now() }))) {
      throw conflict(`${invite.email} already has an account: accept with its password`)
    }
    const workspaceId = await join(inside, invite, user.id)
    return createSession(inside, user.id, 'invite', { workspace: { orgId: invite.orgId, workspaceId } })
  })
}

const findInvite = async (ctx: PublicContext, token: string) =>
  (await findInviteByToken(ctx.sql, sha256(token), ctx.now())) ?? raise(notFound('Invitation'))

/** One of two concurrent requests consumes the invitation; a later failure rolls it back. */
async function consumeInvite(ctx: PublicContext, { orgId, id }: InviteRow) {
  await lockOrganizationRow(ctx.sql, orgId)
  if (!(await deleteInvite(ctx.sql, orgId, id, ctx.now()))) throw notFound('Invitation')
}

/** Returns the default workspace of the new member. */
async function join(ctx: PublicContext, { orgId, role, inviterId }: InviteRow, userId: string) {
  await updateEmailVerified(ctx.sql, userId, ctx.now())
  return (await joinOrganization(ctx, userId, { orgId, role, invitedBy: inviterId })).workspaceId
}

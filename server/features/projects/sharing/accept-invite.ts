import type { InputOf } from '../../../../contract/endpoint.ts'
import type { sharing } from '../../../../contract/projects/sharing.ts'
import type { Caller, Context, PublicContext } from '../../../context.ts'
import { requireBrowser } from '../../../endpoint/permit.ts'
import { type Reply, reply } from '../../../endpoint/route.ts'
import { badField, conflict, forbidden, notFound, raise } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import {
  createSession,
  findEmail,
  readSession,
  updateSessionWorkspace,
  verifyAddress,
} from '../../accounts/accounts/accounts.ts'
import { joinOrganization, resolveInvitedAccount } from '../../organizations/organizations/organizations.ts'
import { joinWorkspace } from '../../organizations/workspaces/workspaces.ts'
import { findInviteByToken, type OpenInviteRow, updateUsed } from './invite-queries.ts'

type Input = InputOf<typeof sharing.acceptInvite>

export async function readInvite(
  ctx: PublicContext<'mail' | 'suspensions'>,
  { token }: InputOf<typeof sharing.readInvite>,
) {
  const invite = await findInvite(ctx, token)
  return {
    organization: { id: invite.orgId, name: invite.orgName },
    workspace: { id: invite.workspaceId, name: invite.workspaceName },
    project: { id: invite.projectId, name: invite.projectName, emoji: invite.emoji },
    role: invite.role,
    invitedBy: invite.inviterName,
    email: invite.email,
    confirmsEmail: needsConfirmation(ctx, invite),
  }
}

export async function acceptInvite(ctx: PublicContext<'mail' | 'suspensions' | 'vault'>, input: Input) {
  const invite = await findInvite(ctx, input.token)
  if (ctx.caller)
    return acceptSignedIn({ ...ctx, caller: ctx.caller } as Context<'mail' | 'suspensions' | 'vault'>, invite)
  return acceptSignedOut(ctx, invite, input)
}

/** Also switches the session to the workspace. Rejects API keys, which could otherwise obtain a session. */
async function acceptSignedIn(ctx: Context<'mail' | 'suspensions' | 'vault'>, invite: OpenInviteRow) {
  const { caller } = ctx
  const { orgId, workspaceId, email, isMailed } = invite
  requireBrowser(caller, 'Accepting an invitation')
  if (email !== null && (await findEmail(ctx.sql, caller.userId))?.email.toLowerCase() !== email) {
    throw conflict(
      `This invitation is for ${email}, but you are signed in with another account: sign out first`,
    )
  }
  await ctx.transaction(async (inside) => {
    await join(inside, invite, caller.userId)
    if (isMailed) await verifyAddress(inside, caller.userId)
    await updateSessionWorkspace(inside.sql, orgId, workspaceId, {
      id: caller.credentialId,
      userId: caller.userId,
    })
  })
  const moved: Caller = { ...caller, orgId, workspaceId }
  return withProject(await readSession({ ...ctx, caller: moved }), invite)
}

/**
 * Uses the account that matches the password, else a new one. Where mail is sent, a reusable link creates no account
 * for an unproved address: `requestToJoin` proves it first.
 */
async function acceptSignedOut(
  ctx: PublicContext<'mail' | 'suspensions' | 'vault'>,
  invite: OpenInviteRow,
  input: Input,
) {
  const { orgId, workspaceId, isMailed } = invite
  if (needsConfirmation(ctx, invite)) {
    throw forbidden('Confirm your email address first', { reason: 'email_confirmation_required' })
  }
  const { name, password } = input
  const email = emailOf(invite, input)
  const { userId, factor, passwordHash, save } = await resolveInvitedAccount(ctx, {
    email,
    isMailed,
    name,
    password,
  })
  return ctx.transaction(async (inside) => {
    await save(inside)
    await join(inside, invite, userId)
    const workspace = { orgId, workspaceId }
    return withProject(await createSession(inside, userId, factor, { workspace, passwordHash }), invite)
  })
}

export const needsConfirmation = (ctx: PublicContext<'mail'>, { email }: OpenInviteRow) =>
  email === null && ctx.mail.canSend

function emailOf(invite: OpenInviteRow, { email }: Input): string {
  if (invite.email === null) return email ?? raise(badField('body.email', 'is required'))
  if (email === undefined || email === invite.email) return invite.email
  throw badField('body.email', `must be ${invite.email}, the address the invitation was sent to`)
}

/** Consumes one use unless already a member. The row lock serializes concurrent uses, so none exceeds the limit. */
export async function join(
  ctx: PublicContext<'mail' | 'vault'>,
  invite: OpenInviteRow,
  userId: string,
): Promise<void> {
  const { orgId, workspaceId, role, createdBy: invitedBy } = invite
  const workspace = { id: workspaceId, role }
  const { isNew } = await joinOrganization(ctx, userId, { orgId, role: 'member', workspace, invitedBy })
  const gainsRole = await joinWorkspace(ctx, userId, { orgId, workspaceId, role, invitedBy })
  if (!isNew && !gainsRole) return
  if (!(await updateUsed(ctx.sql, orgId, invite.id, ctx.now()))) throw notFound('Invitation')
}

export async function findInvite(ctx: PublicContext<'suspensions'>, token: string) {
  const invite = (await findInviteByToken(ctx.sql, sha256(token), ctx.now())) ?? raise(notFound('Invitation'))
  ctx.suspensions.requireOpenToGuests(invite.orgId)
  return invite
}

export const withProject = <S>({ body, options }: Reply<S>, { projectId }: OpenInviteRow) =>
  reply({ session: body, projectId }, options)

import type { InputOf } from '../../../contract/endpoint.ts'
import type { sharing } from '../../../contract/projects/sharing.ts'
import type { Caller, Context, PublicContext } from '../../context.ts'
import { type Reply, reply } from '../../endpoint/route.ts'
import { requireBrowser } from '../../endpoint/step-up.ts'
import { badField, conflict, notFound, raise } from '../../errors.ts'
import { sha256 } from '../../security/digest.ts'
import { newId } from '../../security/ids.ts'
import { hashPassword } from '../../security/passwords.ts'
import {
  createSession,
  findPassword,
  insertInvitedUser,
  readSession,
  updateActiveWorkspace,
  updateEmailVerified,
} from '../accounts/accounts.ts'
import { joinOrganization, parseInvitedUser } from '../organizations/organizations.ts'
import { joinWorkspace } from '../workspaces/workspaces.ts'
import { findInviteByToken, type OpenInviteRow, updateUsed } from './invite-queries.ts'

type Input = InputOf<typeof sharing.acceptInvite>

export async function readInvite(ctx: PublicContext, { token }: InputOf<typeof sharing.readInvite>) {
  const invite = await findInvite(ctx, token)
  return {
    organization: { id: invite.orgId, name: invite.orgName },
    workspace: { id: invite.workspaceId, name: invite.workspaceName },
    project: { id: invite.projectId, name: invite.projectName, emoji: invite.emoji },
    role: invite.role,
    invitedBy: invite.inviterName,
    email: invite.email,
  }
}

export async function acceptInvite(ctx: PublicContext, input: Input) {
  const invite = await findInvite(ctx, input.token)
  if (ctx.caller) return acceptSignedIn({ ...ctx, caller: ctx.caller } as Context, invite)
  return acceptWithNewAccount(ctx, invite, input)
}

/** Joins and switches the session to the workspace. API keys are refused: they could otherwise obtain a session. */
async function acceptSignedIn(ctx: Context, invite: OpenInviteRow) {
  const { caller } = ctx
  const { orgId, workspaceId, email } = invite
  requireBrowser(caller, 'Accepting an invitation')
  if (email !== null && (await findPassword(ctx.sql, email))?.userId !== caller.userId) {
    throw conflict(
      `This invitation is for ${email}, but you are signed in with another account: sign out first`,
    )
  }
  await ctx.transaction(async (inside) => {
    await join(inside, invite, caller.userId)
    // The link was sent to this email address only, so opening it verifies the address.
    if (email !== null) await updateEmailVerified(inside.sql, caller.userId, ctx.now())
    await updateActiveWorkspace(inside.sql, orgId, workspaceId, {
      id: caller.credentialId,
      userId: caller.userId,
    })
  })
  const moved: Caller = { ...caller, orgId, workspaceId }
  return withProject(await readSession({ ...ctx, caller: moved }), invite)
}

/** Creates an account. Its email address is verified only if the invite was mailed to it: a link can be passed on. */
async function acceptWithNewAccount(ctx: PublicContext, invite: OpenInviteRow, input: Input) {
  const { orgId, workspaceId } = invite
  const email = emailOf(invite, input)
  const { name, password } = parseInvitedUser(input)
  if (await findPassword(ctx.sql, email)) throw hasAccount(email)
  const passwordHash = await hashPassword(password)
  const user = { id: newId(), email, name, passwordHash, isVerified: invite.email !== null }
  return ctx.transaction(async (inside) => {
    if (!(await insertInvitedUser(inside.sql, { ...user, now: ctx.now() }))) throw hasAccount(email)
    await join(inside, invite, user.id)
    return withProject(
      await createSession(inside, user.id, 'invite', { workspace: { orgId, workspaceId } }),
      invite,
    )
  })
}

function emailOf(invite: OpenInviteRow, { email }: Input): string {
  if (invite.email === null) return email ?? raise(badField('body.email', 'is required'))
  if (email === undefined || email === invite.email) return invite.email
  throw badField('body.email', `must be ${invite.email}, the address that the invitation was sent to`)
}

const hasAccount = (email: string) =>
  conflict(`${email} already has an account: sign in first, then open the link again`)

/** Consumes one use unless the user is a member already. The row lock serializes concurrent uses, so none exceeds the limit. */
async function join(ctx: PublicContext, invite: OpenInviteRow, userId: string): Promise<void> {
  const { orgId, workspaceId, role, createdBy: invitedBy } = invite
  const workspace = { id: workspaceId, role }
  const { isNew } = await joinOrganization(ctx, userId, { orgId, role: 'member', workspace, invitedBy })
  const isMore = await joinWorkspace(ctx, userId, { orgId, workspaceId, role, invitedBy })
  if (!isNew && !isMore) return
  if (!(await updateUsed(ctx.sql, orgId, invite.id, ctx.now()))) throw notFound('Invitation')
}

const findInvite = async (ctx: PublicContext, token: string) =>
  (await findInviteByToken(ctx.sql, sha256(token), ctx.now())) ?? raise(notFound('Invitation'))

const withProject = <S>({ body, options }: Reply<S>, { projectId }: OpenInviteRow) =>
  reply({ session: body, projectId }, options)

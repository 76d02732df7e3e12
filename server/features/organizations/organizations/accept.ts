import type { InputOf } from '../../../../contract/endpoint.ts'
import type { invites } from '../../../../contract/organizations/invites.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../context.ts'
import { requireBrowser } from '../../../endpoint/permit.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import {
  createSession,
  findEmail,
  findVerifiedUser,
  readSession,
  updateSessionWorkspace,
  verifyAddress,
} from '../../accounts/accounts/accounts.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { lockOrganizationRow } from '../membership/membership.ts'
import { deleteInvite, findInviteByToken, type InviteRow } from './invite-queries.ts'
import { resolveInvitedAccount } from './invited-account.ts'
import { findMember, findMembership, insertMember, type NewMember } from './member-queries.ts'

type Input = InputOf<typeof invites.accept>

export async function readInvite(ctx: PublicContext<'suspensions'>, { token }: InputOf<typeof invites.read>) {
  const { orgId, orgName, email, role, inviterName, isMailed } = await findInvite(ctx, token)
  return {
    organization: { id: orgId, name: orgName },
    email,
    role,
    invitedBy: inviterName,
    hasAccount: isMailed && (await findVerifiedUser(ctx.sql, email)) !== null,
  }
}

/** A mailed link proves the email address. An existing account must also authenticate. */
export async function acceptInvite(ctx: PublicContext<'mail' | 'suspensions' | 'vault'>, input: Input) {
  const invite = await findInvite(ctx, input.token)
  if (ctx.caller)
    return acceptSignedIn({ ...ctx, caller: ctx.caller } as Context<'mail' | 'suspensions' | 'vault'>, invite)
  return acceptSignedOut(ctx, invite, input)
}

/** Rejects API keys, which could otherwise obtain a session. */
async function acceptSignedIn(ctx: Context<'mail' | 'suspensions' | 'vault'>, invite: InviteRow) {
  const { caller } = ctx
  requireBrowser(caller, 'Accepting an invitation')
  if ((await findEmail(ctx.sql, caller.userId))?.email.toLowerCase() !== invite.email) {
    throw conflict(
      `This invitation is for ${invite.email}, and you are signed in as another user: sign out first`,
    )
  }
  const { orgId } = invite
  const workspaceId = await ctx.transaction(async (inside) => {
    await consumeInvite(inside, invite)
    if (invite.isMailed) await verifyAddress(inside, caller.userId)
    const defaultWorkspaceId = await join(inside, invite, caller.userId)
    await updateSessionWorkspace(inside.sql, orgId, defaultWorkspaceId, {
      id: caller.credentialId,
      userId: caller.userId,
    })
    return defaultWorkspaceId
  })
  const switched: Caller = { ...caller, orgId, workspaceId }
  return readSession({ ...ctx, caller: switched })
}

/** With a second factor the invitation stays open, and the session that the second factor creates accepts it. */
async function acceptSignedOut(
  ctx: PublicContext<'mail' | 'suspensions' | 'vault'>,
  invite: InviteRow,
  { name, password }: Input,
) {
  const { orgId, email, isMailed } = invite
  const { userId, factor, passwordHash, save } = await resolveInvitedAccount(ctx, {
    email,
    isMailed,
    name,
    password,
  })
  return ctx.transaction(async (inside) => {
    await consumeInvite(inside, invite)
    await save(inside)
    const workspaceId = await join(inside, invite, userId)
    return createSession(inside, userId, factor, { workspace: { orgId, workspaceId }, passwordHash })
  })
}

async function findInvite(ctx: PublicContext<'suspensions'>, token: string) {
  const invite = (await findInviteByToken(ctx.sql, sha256(token), ctx.now())) ?? raise(notFound('Invitation'))
  ctx.suspensions.requireOpenToGuests(invite.orgId)
  return invite
}

/** Only one concurrent request consumes the invitation. A later failure rolls it back. */
async function consumeInvite(ctx: PublicContext, { orgId, id }: InviteRow) {
  await lockOrganizationRow(ctx.sql, orgId)
  if (!(await deleteInvite(ctx.sql, orgId, id, ctx.now()))) throw notFound('Invitation')
}

async function join(
  ctx: PublicContext<'mail' | 'vault'>,
  { orgId, role, inviterId }: InviteRow,
  userId: string,
) {
  return (await joinOrganization(ctx, userId, { orgId, role, invitedBy: inviterId })).workspaceId
}

interface JoinOptions extends Pick<NewMember, 'role' | 'workspace'> {
  orgId: string
  invitedBy: string
}

/** An existing member keeps their role, such as one invited at an address they adopted later. */
export async function joinOrganization(
  ctx: PublicContext<'mail' | 'vault'>,
  userId: string,
  { orgId, role, workspace, invitedBy }: JoinOptions,
): Promise<{ workspaceId: string | null; isNew: boolean }> {
  await lockOrganizationRow(ctx.sql, orgId)
  const existing = await findMembership(ctx.sql, orgId, userId)
  if (existing) return { ...existing, isNew: false }
  const workspaceId = await insertMember(ctx.sql, orgId, userId, { role, workspace, now: ctx.now() })
  await recordAudit(ctx, {
    action: 'member.joined',
    by: { userId, orgId, via: 'session' },
    target: userId,
    details: { role, invitedBy },
  })
  await notifyInviter(ctx, orgId, userId, invitedBy)
  return { workspaceId, isNew: true }
}

/** The inviter may have left since. */
async function notifyInviter(
  ctx: PublicContext<'mail' | 'vault'>,
  orgId: string,
  userId: string,
  invitedBy: string,
) {
  const inviter = await findMember(ctx.sql, orgId, invitedBy)
  const newMember = await findMember(ctx.sql, orgId, userId)
  if (!inviter || !newMember) return
  const key = `invitation-${userId}-${ctx.now().getTime()}`
  const path = '/settings/organization/members'
  const { name } = newMember
  await notify(
    ctx,
    orgId,
    [{ userId: inviter.id, email: inviter.email, isVerified: inviter.emailVerified }],
    { kind: 'invitation', key, title: 'accepted your invitation', path, actor: { id: userId, name } },
    ({ t, textWithNames }) => ({
      subject: textWithNames`${name} accepted your invitation`,
      text: [
        textWithNames`${name} is now in the organization.`,
        t`Open the members: ${ctx.mail.linkTo(path)}`,
      ].join('\n\n'),
    }),
  )
}

import { textWithNames } from '../../../../contract/text-with-names.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { PublicContext } from '../../../context.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { lockOrganizationRow } from '../membership/membership.ts'
import { findMember, findMembership, insertMember, type NewMember } from './member-queries.ts'

interface JoinOptions extends Pick<NewMember, 'role' | 'workspace'> {
  orgId: string
  invitedBy: string
}

/**
 * Adds a member and returns their default workspace. An existing member, such as one who was invited at an address that
 * they adopted later, keeps their role.
 */
export async function joinOrganization(
  ctx: PublicContext,
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
async function notifyInviter(ctx: PublicContext, orgId: string, userId: string, invitedBy: string) {
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
    {
      id: key,
      subject: textWithNames`${name} accepted your invitation`,
      text: textWithNames`${name} is a member of the organization now.\n\nOpen the members: ${ctx.mail.linkTo(path)}`,
    },
  )
}

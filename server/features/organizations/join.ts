import { recordAudit } from '../../audit/record.ts'
import type { PublicContext } from '../../context.ts'
import { lockOrganizationRow } from '../membership/membership.ts'
import { findMembership, insertMember, type NewMember } from './member-queries.ts'

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
  return { workspaceId, isNew: true }
}

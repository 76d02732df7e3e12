import { recordAudit } from '../../audit/record.ts'
import type { PublicContext } from '../../context.ts'
import { lockOrganizationRow } from '../membership/membership.ts'
import { findMembership, insertMember, type NewMember } from './member-queries.ts'

interface Joining extends Pick<NewMember, 'role' | 'workspace'> {
  orgId: string
  invitedBy: string
}

/**
 * Makes somebody a member, and answers the workspace they begin in. Whoever is one already, as when they were invited
 * under an address that they took on later, stays what they are.
 */
export async function joinOrganization(
  ctx: PublicContext,
  userId: string,
  { orgId, role, workspace, invitedBy }: Joining,
): Promise<{ workspaceId: string | null; isNew: boolean }> {
  await lockOrganizationRow(ctx.sql, orgId)
  const already = await findMembership(ctx.sql, orgId, userId)
  if (already) return { ...already, isNew: false }
  const workspaceId = await insertMember(ctx.sql, orgId, userId, { role, workspace, now: ctx.now() })
  await recordAudit(ctx, {
    action: 'member.joined',
    by: { userId, orgId, via: 'session' },
    target: userId,
    details: { role, invitedBy },
  })
  return { workspaceId, isNew: true }
}

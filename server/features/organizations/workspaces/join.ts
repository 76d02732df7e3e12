import { recordAudit } from '../../../audit/record.ts'
import type { PublicContext } from '../../../context.ts'
import { reassignDefaultWorkspaces } from '../membership/membership.ts'
import { insertInvitedMember } from './member-queries.ts'

interface JoinOptions {
  orgId: string
  workspaceId: string
  role: 'viewer' | 'editor'
  invitedBy: string
}

/** Adds an invited member to a workspace; false if they already have this role or a higher one. */
export async function joinWorkspace(
  ctx: PublicContext,
  userId: string,
  { orgId, workspaceId, role, invitedBy }: JoinOptions,
): Promise<boolean> {
  const member = await insertInvitedMember(ctx.sql, orgId, workspaceId, { userId, role, now: ctx.now() })
  if (!member) return false
  await reassignDefaultWorkspaces(ctx.sql, orgId, userId)
  const { name, email } = member
  await recordAudit(ctx, {
    action: 'workspace.member-added',
    by: { userId, orgId, via: 'session' },
    target: workspaceId,
    details: { userId, name, email, role, invitedBy },
  })
  return true
}

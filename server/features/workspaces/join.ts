import { recordAudit } from '../../audit/record.ts'
import type { PublicContext } from '../../context.ts'
import { reassignDefaultWorkspaces } from '../membership/membership.ts'
import { insertInvitedMember } from './member-queries.ts'

interface Joining {
  orgId: string
  workspaceId: string
  role: 'viewer' | 'editor'
  invitedBy: string
}

/** Lets a member of the organization into a workspace by an invitation; false if they were that or more already. */
export async function joinWorkspace(
  ctx: PublicContext,
  userId: string,
  { orgId, workspaceId, role, invitedBy }: Joining,
): Promise<boolean> {
  const joined = await insertInvitedMember(ctx.sql, orgId, workspaceId, { userId, role, now: ctx.now() })
  if (!joined) return false
  await reassignDefaultWorkspaces(ctx.sql, orgId, userId)
  const { name, email } = joined
  await recordAudit(ctx, {
    action: 'workspace.member-added',
    by: { userId, orgId, via: 'session' },
    target: workspaceId,
    details: { userId, name, email, role, invitedBy },
  })
  return true
}

import type { PublicContext } from '../../context.ts'
import { recordAct } from '../accounts/accounts.ts'
import { insertInvitedMember } from './member-queries.ts'
import { settleWorkspaces } from './queries.ts'

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
  await settleWorkspaces(ctx.sql, orgId, userId)
  const { name, email } = joined
  await recordAct(ctx, {
    action: 'workspace.member-added',
    by: { userId, orgId, via: 'session' },
    target: workspaceId,
    details: { userId, name, email, role, invitedBy },
  })
  return true
}

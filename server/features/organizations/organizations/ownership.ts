import type { InputOf } from '../../../../contract/endpoint.ts'
import type { organization } from '../../../../contract/organizations/organization.ts'
import { auditName, recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { badField, conflict, notFound, raise } from '../../../errors.ts'
import { findOtherDefaultWorkspace, lockUser, moveSessions } from '../../accounts/accounts/accounts.ts'
import { revokeConnectionsOf } from '../../connections/connections/connections.ts'
import { lockOrganization } from '../membership/membership.ts'
import { deleteInvitesBy } from './invite-queries.ts'
import * as queries from './member-queries.ts'

/** An organization without an owner cannot be managed. Call it under the organization lock only. */
export async function requireAnotherOwner(ctx: Context, userId: string): Promise<void> {
  if (await queries.hasOtherOwner(ctx.sql, ctx.caller.orgId, userId)) return
  throw conflict('The last owner cannot leave: make another member an owner first')
}

/** Moves the sessions of the caller to another organization of theirs; without one, ends them. */
export async function leaveOrganization(ctx: Context) {
  const { orgId, userId } = ctx.caller
  const next = await ctx.transaction(async (inside) => {
    const { sql } = inside
    await lockUser(sql, userId)
    const role = await lockOrganization(inside)
    if (role === 'owner') await requireAnotherOwner(inside, userId)
    const workspace = await findOtherDefaultWorkspace(sql, orgId, userId)
    if (workspace) await moveSessions(sql, orgId, userId, workspace)
    await deleteInvitesBy(sql, orgId, userId)
    await revokeConnectionsOf(inside, orgId, userId)
    await queries.deleteMembership(sql, orgId, userId)
    await recordAudit(inside, { action: 'member.left', by: ctx.caller, target: userId, details: { role } })
    return workspace
  })
  return reply({ left: true as const }, next ? {} : { session: 'ended' })
}

export async function transferOwnership(ctx: Context, input: InputOf<typeof organization.transfer>) {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'owner')
    const newOwner = (await queries.findMember(inside.sql, orgId, input.userId)) ?? raise(notFound('Member'))
    if (newOwner.id === userId) throw badField('body.userId', 'must be another member')
    await queries.updateRole(inside.sql, orgId, newOwner.id, 'owner')
    await queries.updateRole(inside.sql, orgId, userId, 'admin')
    await recordAudit(inside, {
      action: 'ownership.transferred',
      by: ctx.caller,
      target: newOwner.id,
      details: auditName(newOwner),
    })
    return { ownerId: newOwner.id }
  })
}

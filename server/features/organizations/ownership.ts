import type { InputOf } from '../../../contract/endpoint.ts'
import type { organization } from '../../../contract/organizations/organization.ts'
import { auditName, recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { reply } from '../../endpoint/route.ts'
import { badField, conflict, notFound, raise } from '../../errors.ts'
import { findOtherDefaultWorkspace, lockUser, updateSessionsWorkspace } from '../accounts/accounts.ts'
import { lockOrganization } from '../membership/membership.ts'
import { deleteInvitesBy } from './invite-queries.ts'
import * as queries from './member-queries.ts'

/** An organization without an owner could never be managed again. Ask inside the lock only. */
export async function requireAnotherOwner(ctx: Context, leaving: string): Promise<void> {
  if (await queries.hasOtherOwner(ctx.sql, ctx.caller.orgId, leaving)) return
  throw conflict('The last owner cannot go: make somebody else an owner first')
}

/** Whoever leaves goes on in another organization of theirs, in every browser; without one they are signed out. */
export async function leaveOrganization(ctx: Context) {
  const { orgId, userId } = ctx.caller
  const home = await ctx.transaction(async (inside) => {
    const { sql } = inside
    await lockUser(sql, userId)
    const role = await lockOrganization(inside)
    if (role === 'owner') await requireAnotherOwner(inside, userId)
    const place = await findOtherDefaultWorkspace(sql, orgId, userId)
    if (place) await updateSessionsWorkspace(sql, orgId, userId, place)
    await deleteInvitesBy(sql, orgId, userId)
    await queries.deleteMembership(sql, orgId, userId)
    await recordAudit(inside, { action: 'member.left', by: ctx.caller, target: userId, details: { role } })
    return place
  })
  return reply({ left: true as const }, home ? {} : { session: 'ended' })
}

export async function transferOwnership(ctx: Context, input: InputOf<typeof organization.transfer>) {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'owner')
    const heir = (await queries.findMember(inside.sql, orgId, input.userId)) ?? raise(notFound('Member'))
    if (heir.id === userId) throw badField('body.userId', 'must be somebody else')
    await queries.updateRole(inside.sql, orgId, heir.id, 'owner')
    await queries.updateRole(inside.sql, orgId, userId, 'admin')
    await recordAudit(inside, {
      action: 'ownership.transferred',
      by: ctx.caller,
      target: heir.id,
      details: auditName(heir),
    })
    return { ownerId: heir.id }
  })
}

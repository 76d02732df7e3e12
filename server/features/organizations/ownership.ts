import type { InputOf } from '../../../contract/endpoint.ts'
import type { organization } from '../../../contract/organizations/organization.ts'
import type { Context } from '../../context.ts'
import { reply } from '../../endpoint/route.ts'
import { badField, conflict, notFound, raise } from '../../errors.ts'
import { findOtherHome, lockUser, recordAct, updateSessionsPlace } from '../accounts/accounts.ts'
import { lockOrganization } from '../membership/membership.ts'
import { deleteInvitesBy } from './invite-queries.ts'
import * as queries from './member-queries.ts'

/** An organization without an owner could never be managed again. Ask inside the lock only. */
export async function keepAnOwner(ctx: Context, leaving: string): Promise<void> {
  if (await queries.hasOtherOwner(ctx.sql, ctx.caller.orgId, leaving)) return
  throw conflict('The last owner cannot go: make somebody else an owner first')
}

/** Whoever leaves goes on in another organization of theirs, in every browser; without one they are signed out. */
export async function leave(ctx: Context) {
  const { orgId, userId } = ctx.caller
  const home = await ctx.transaction(async (inside) => {
    const { sql } = inside
    await lockUser(sql, userId)
    const role = await lockOrganization(inside)
    if (role === 'owner') await keepAnOwner(inside, userId)
    const place = await findOtherHome(sql, orgId, userId)
    if (place) await updateSessionsPlace(sql, orgId, userId, place)
    await deleteInvitesBy(sql, orgId, userId)
    await queries.deleteMembership(sql, orgId, userId)
    await recordAct(inside, { action: 'member.left', by: ctx.caller, target: userId, details: { role } })
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
    await recordAct(inside, {
      action: 'ownership.transferred',
      by: ctx.caller,
      target: heir.id,
      details: called(heir),
    })
    return { ownerId: heir.id }
  })
}

/** Who it was at the time, so that the trail can still be read when they are gone. */
export const called = ({ name, email }: queries.MemberRow) => ({ name, email })

import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { organization } from '../../../../contract/organizations/organization.ts'
import { auditName, recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { reply } from '../../../endpoint/route.ts'
import { badField, conflict, forbidden, notFound, raise } from '../../../errors.ts'
import { defineHook } from '../../../hooks.ts'
import { findOtherDefaultWorkspace, lockUser, moveSessions } from '../../accounts/accounts/accounts.ts'
import { lockOrganization, reassignDefaultWorkspaces } from '../membership/membership.ts'
import { deleteInvitesBy } from './invite-queries.ts'
import * as queries from './member-queries.ts'

/** Runs in the transaction that removes a member, before the membership ends. */
export const memberLeaves =
  defineHook<
    (
      inside: Pick<Context, 'sql' | 'now' | 'origin'>,
      member: { orgId: string; userId: string },
    ) => Promise<void>
  >('memberLeaves')

export async function listMembers(ctx: Context<'vault'>, input: InputOf<typeof organization.members>) {
  const { limit, cursor, search } = input
  const { orgId } = ctx.caller
  const list = search === undefined ? `members ${orgId}` : `members ${orgId} ${search}`
  const after = decodeCursor(ctx.vault, list, cursor)
  if (search === undefined) {
    const rows = await queries.listMembers(ctx.sql, orgId, after, limit + 1)
    return cursorPage(ctx.vault, list, limit, rows, present)
  }
  const { rows, scannedTo } = await queries.findMembers(ctx.sql, orgId, search, after, limit + 1)
  const page = cursorPage(ctx.vault, list, limit, rows, present)
  const hasMore = page.nextCursor === null && scannedTo !== null
  return hasMore ? { ...page, nextCursor: encodeCursor(ctx.vault, list, scannedTo) } : page
}

export async function changeRole(ctx: Context, { userId, role }: InputOf<typeof organization.changeRole>) {
  const { orgId } = ctx.caller
  return ctx.transaction(async (inside) => {
    const callerRole = await lockOrganization(inside, 'admin')
    const member = (await queries.findMember(inside.sql, orgId, userId)) ?? raise(notFound('Member'))
    if (member.role === role) return present(member)
    if (member.role === 'owner' || role === 'owner') requireOwner(callerRole)
    if (member.role === 'owner') await requireAnotherOwner(inside, member.id)
    await queries.updateRole(inside.sql, orgId, member.id, role)
    if (role === 'member') await revokeAdminAccess(inside, member.id)
    await recordAudit(inside, {
      action: 'member.role-changed',
      by: ctx.caller,
      target: member.id,
      details: { from: member.role, to: role, ...auditName(member) },
    })
    return present({ ...member, role })
  })
}

/**
 * Hooks revoke connections. Foreign keys to `memberships` delete sessions, API keys, device logins, app grants and
 * workspace memberships. Share and public links check membership on each use, runs and schedules before each step.
 * Content stays. docs/organizations.md lists what users see.
 */
export async function removeMember(
  ctx: Context<'hooks'>,
  { userId }: InputOf<typeof organization.removeMember>,
) {
  const { orgId } = ctx.caller
  return ctx.transaction(async (inside) => {
    const callerRole = await lockOrganization(inside, 'admin')
    const member = (await queries.findMember(inside.sql, orgId, userId)) ?? raise(notFound('Member'))
    if (member.role === 'owner') {
      requireOwner(callerRole)
      await requireAnotherOwner(inside, member.id)
    }
    await deleteInvitesBy(inside.sql, orgId, member.id)
    await deleteMember(inside, member.id)
    await recordAudit(inside, {
      action: 'member.removed',
      by: ctx.caller,
      target: member.id,
      details: { ...auditName(member), role: member.role },
    })
    return reply({ removed: true as const }, member.id === ctx.caller.userId ? { session: 'ended' } : {})
  })
}

async function deleteMember(inside: Context<'hooks'>, userId: string): Promise<void> {
  const { orgId } = inside.caller
  for (const onLeave of inside.hooks.all(memberLeaves)) await onLeave(inside, { orgId, userId })
  await queries.deleteMembership(inside.sql, orgId, userId)
}

/** A former admin sees fewer workspaces, and their open invitations are revoked. */
async function revokeAdminAccess(ctx: Context, userId: string) {
  await deleteInvitesBy(ctx.sql, ctx.caller.orgId, userId)
  await reassignDefaultWorkspaces(ctx.sql, ctx.caller.orgId, userId)
}

function requireOwner(role: Role): void {
  if (role === 'owner') return
  throw forbidden('Only owners can promote, demote or remove owners', {
    reason: 'role_required',
    required: 'owner',
  })
}

const present = ({ id, name, email, emailVerified, role, lastSeenAt, joinedAt }: queries.MemberRow) => ({
  id,
  name,
  email,
  emailVerified,
  role,
  lastSeenAt,
  joinedAt,
})

/** The caller must hold the organization lock. */
async function requireAnotherOwner(ctx: Context, userId: string): Promise<void> {
  if (await queries.hasOtherOwner(ctx.sql, ctx.caller.orgId, userId)) return
  throw conflict('The last owner cannot leave: make another member an owner first')
}

/** Moves the caller's sessions to another organization, or ends them. */
export async function leaveOrganization(ctx: Context<'hooks'>) {
  const { orgId, userId } = ctx.caller
  const next = await ctx.transaction(async (inside) => {
    const { sql } = inside
    await lockUser(sql, userId)
    const role = await lockOrganization(inside)
    if (role === 'owner') await requireAnotherOwner(inside, userId)
    const workspace = await findOtherDefaultWorkspace(sql, orgId, userId)
    if (workspace) await moveSessions(sql, orgId, userId, workspace)
    await deleteInvitesBy(sql, orgId, userId)
    await deleteMember(inside, userId)
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

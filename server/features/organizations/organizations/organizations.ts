import type { InputOf } from '../../../../contract/endpoint.ts'
import { invites } from '../../../../contract/organizations/invites.ts'
import { organization } from '../../../../contract/organizations/organization.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { handle, reply } from '../../../endpoint/route.ts'
import { notFound, raise, stale } from '../../../errors.ts'
import type { Feature } from '../../../feature.ts'
import { lockOrganization } from '../membership/membership.ts'
import { acceptInvite, readInvite } from './accept.ts'
import { exportAudit, readAudit } from './audit.ts'
import { createInvite, listInvites, revokeInvite } from './invites.ts'
import {
  changeRole,
  leaveOrganization,
  listMembers,
  memberLeaves,
  removeMember,
  transferOwnership,
} from './members.ts'
import { resetPassword } from './reset-password.ts'

export { joinOrganization } from './accept.ts'
export { resolveInvitedAccount } from './invited-account.ts'
export { memberLeaves } from './members.ts'

/** Members, roles, invitations and ownership. */
export const organizations: Feature = {
  routes: [
    handle(organization.get, readOrganization),
    handle(organization.update, renameOrganization),
    handle(organization.members, listMembers),
    handle(organization.changeRole, changeRole),
    handle(organization.removeMember, removeMember),
    handle(organization.resetPassword, resetPassword),
    handle(organization.leave, leaveOrganization),
    handle(organization.transfer, transferOwnership),
    handle(organization.invites, listInvites),
    handle(organization.invite, createInvite),
    handle(organization.revokeInvite, revokeInvite),
    handle(organization.audit, readAudit),
    handle(organization.exportAudit, exportAudit),
    handle(invites.read, readInvite),
    handle(invites.accept, acceptInvite),
  ],
  hooks: [memberLeaves],
}

async function readOrganization(ctx: Context) {
  return present((await findOrganization(ctx.sql, ctx.caller.orgId)) ?? raise(notFound('Organization')))
}

async function renameOrganization(ctx: Context, { name, ifMatch }: InputOf<typeof organization.update>) {
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    const change = { name, version: ifMatch, now: ctx.now() }
    const row = (await updateName(inside.sql, ctx.caller.orgId, change)) ?? raise(stale())
    await recordAudit(inside, { action: 'organization.updated', by: ctx.caller, details: { name } })
    return present(row)
  })
}

const present = ({ version, ...row }: OrganizationRow) => reply(row, { version })

interface OrganizationRow {
  id: string
  name: string
  memberCount: number
  version: number
  createdAt: string
  updatedAt: string
}

const columns = (sql: Sql) => sql`
  o.id, o.name, o.version, o.created_at as "createdAt", o.updated_at as "updatedAt",
  o.member_count as "memberCount"`

async function findOrganization(sql: Sql, orgId: string) {
  const [row] = await sql<OrganizationRow[]>`
    select ${columns(sql)} from organizations o where o.id = ${orgId}`
  return row ?? null
}

async function updateName(
  sql: Sql,
  orgId: string,
  change: { name: string; version: string | undefined; now: Date },
) {
  const [row] = await sql<OrganizationRow[]>`
    update organizations o set name = ${change.name}, version = version + 1, updated_at = ${change.now}
    where o.id = ${orgId} and (${change.version ?? null}::text is null or o.version::text = ${change.version ?? null})
    returning ${columns(sql)}`
  return row ?? null
}

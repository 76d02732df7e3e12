import type { InputOf } from '../../../../contract/endpoint.ts'
import type { workspaces } from '../../../../contract/organizations/workspaces.ts'
import { auditName, recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { badField, notFound, raise } from '../../../errors.ts'
import { lockOrganization, reassignDefaultWorkspaces } from '../membership/membership.ts'
import { findWorkspace } from './manage.ts'
import * as queries from './member-queries.ts'

export async function listWorkspaceMembers(ctx: Context, input: InputOf<typeof workspaces.members>) {
  const { id } = await findWorkspace(ctx, input.id)
  const list = `workspace members ${ctx.caller.orgId} ${id}`
  const after = decodeCursor(ctx.vault, list, input.cursor)
  const rows = await queries.listWorkspaceMembers(ctx.sql, ctx.caller.orgId, id, after, input.limit + 1)
  return cursorPage(ctx.vault, list, input.limit, rows, present)
}

export async function addWorkspaceMember(ctx: Context, input: InputOf<typeof workspaces.addMember>) {
  const { orgId } = ctx.caller
  const { userId, role } = input
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    const { id } = await findWorkspace(inside, input.id)
    const added = await queries.insertWorkspaceMember(inside.sql, orgId, id, { userId, role, now: ctx.now() })
    const member = added ?? raise(badField('body.userId', 'must be a member of the organization'))
    await reassignDefaultWorkspaces(inside.sql, orgId, member.id)
    await recordAudit(inside, {
      action: 'workspace.member-added',
      by: ctx.caller,
      target: id,
      details: { userId: member.id, ...auditName(member), role },
    })
    return present(member)
  })
}

export async function removeWorkspaceMember(ctx: Context, input: InputOf<typeof workspaces.removeMember>) {
  const { orgId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    const { id } = await findWorkspace(inside, input.id)
    const removed = await queries.deleteWorkspaceMember(inside.sql, orgId, id, input.userId)
    const member = removed ?? raise(notFound('Member'))
    await reassignDefaultWorkspaces(inside.sql, orgId, member.id)
    await recordAudit(inside, {
      action: 'workspace.member-removed',
      by: ctx.caller,
      target: id,
      details: { userId: member.id, ...auditName(member) },
    })
    return { removed: true as const }
  })
}

const present = ({ id, name, email, role, addedAt }: queries.WorkspaceMemberRow) => ({
  id,
  name,
  email,
  role,
  addedAt,
})

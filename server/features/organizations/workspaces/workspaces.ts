import type { InputOf } from '../../../../contract/endpoint.ts'
import { workspaces as endpoints } from '../../../../contract/organizations/workspaces.ts'
import { auditName, recordAudit } from '../../../audit/record.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { handle } from '../../../endpoint/route.ts'
import { badField, conflict, notFound, raise } from '../../../errors.ts'
import type { Feature } from '../../../feature.ts'
import { newId } from '../../../security/ids.ts'
import { lockOrganization, reassignDefaultWorkspaces } from '../membership/membership.ts'
import * as queries from './queries.ts'
import { insertInvitedMember } from './queries.ts'

/** Workspaces, which group members inside an organization. */
export const workspaces: Feature = {
  routes: [
    handle(endpoints.list, listWorkspaces),
    handle(endpoints.create, createWorkspace),
    handle(endpoints.chooseDefault, chooseDefaultWorkspace),
    handle(endpoints.rename, renameWorkspace),
    handle(endpoints.remove, deleteWorkspace),
    handle(endpoints.members, listWorkspaceMembers),
    handle(endpoints.addMember, addWorkspaceMember),
    handle(endpoints.removeMember, removeWorkspaceMember),
  ],
}

interface JoinOptions {
  orgId: string
  workspaceId: string
  role: 'viewer' | 'editor'
  invitedBy: string
}

/** False if the member already has this role or a higher one. */
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

async function listWorkspaces(ctx: Context) {
  return { items: [...(await queries.listVisible(ctx.sql, ctx.caller.orgId, ctx.caller.userId))] }
}

async function findWorkspace(ctx: Context, id: string): Promise<queries.WorkspaceRow> {
  const { orgId, userId } = ctx.caller
  return (await queries.findVisible(ctx.sql, orgId, userId, id)) ?? raise(notFound('Workspace'))
}

async function createWorkspace(ctx: Context, { name }: InputOf<typeof endpoints.create>) {
  const { orgId, userId } = ctx.caller
  const id = newId()
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    await queries.insertWorkspace(inside.sql, orgId, userId, { id, name, now: ctx.now() })
    await recordAudit(inside, { action: 'workspace.created', by: ctx.caller, target: id, details: { name } })
    return findWorkspace(inside, id)
  })
}

/** Needs the lock: a concurrent removal could otherwise leave an invisible default workspace. */
async function chooseDefaultWorkspace(
  ctx: Context,
  { workspaceId }: InputOf<typeof endpoints.chooseDefault>,
) {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside)
    const workspace = await findWorkspace(inside, workspaceId)
    await queries.updateDefault(inside.sql, orgId, userId, workspace.id)
    return { ...workspace, isDefault: true }
  })
}

async function renameWorkspace(ctx: Context, { id, name }: InputOf<typeof endpoints.rename>) {
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    const before = await findWorkspace(inside, id)
    await queries.updateName(inside.sql, ctx.caller.orgId, id, { name, now: ctx.now() })
    await recordAudit(inside, {
      action: 'workspace.renamed',
      by: ctx.caller,
      target: before.id,
      details: { from: before.name, to: name },
    })
    return findWorkspace(inside, id)
  })
}

/** Soft delete: members get another active and default workspace. */
async function deleteWorkspace(ctx: Context, input: InputOf<typeof endpoints.remove>) {
  const { orgId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    const { id, name } = await findWorkspace(inside, input.id)
    if (!(await queries.hasOtherWorkspace(inside.sql, orgId, id))) {
      throw conflict('An organization’s last workspace cannot be deleted')
    }
    await queries.updateDeleted(inside.sql, orgId, id, ctx.now())
    await reassignDefaultWorkspaces(inside.sql, orgId, null)
    await recordAudit(inside, { action: 'workspace.deleted', by: ctx.caller, target: id, details: { name } })
    return { deleted: true as const }
  })
}

async function listWorkspaceMembers(ctx: Context<'vault'>, input: InputOf<typeof endpoints.members>) {
  const { id } = await findWorkspace(ctx, input.id)
  const list = `workspace members ${ctx.caller.orgId} ${id}`
  const after = decodeCursor(ctx.vault, list, input.cursor)
  const rows = await queries.listWorkspaceMembers(ctx.sql, ctx.caller.orgId, id, after, input.limit + 1)
  return cursorPage(ctx.vault, list, input.limit, rows, present)
}

async function addWorkspaceMember(ctx: Context, input: InputOf<typeof endpoints.addMember>) {
  const { orgId } = ctx.caller
  const { userId, role } = input
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    const { id } = await findWorkspace(inside, input.id)
    const added = await queries.insertWorkspaceMember(inside.sql, orgId, id, { userId, role, now: ctx.now() })
    const member = added ?? raise(badField('body.userId', 'must be an organization member'))
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

async function removeWorkspaceMember(ctx: Context, input: InputOf<typeof endpoints.removeMember>) {
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

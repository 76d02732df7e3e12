import type { InputOf } from '../../../../contract/endpoint.ts'
import type { workspaces } from '../../../../contract/organizations/workspaces.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { lockOrganization, reassignDefaultWorkspaces } from '../membership/membership.ts'
import * as queries from './queries.ts'

export async function listWorkspaces(ctx: Context) {
  return { items: [...(await queries.listVisible(ctx.sql, ctx.caller.orgId, ctx.caller.userId))] }
}

/** The workspace, if the caller can see it. */
export async function findWorkspace(ctx: Context, id: string): Promise<queries.WorkspaceRow> {
  const { orgId, userId } = ctx.caller
  return (await queries.findVisible(ctx.sql, orgId, userId, id)) ?? raise(notFound('Workspace'))
}

export async function createWorkspace(ctx: Context, { name }: InputOf<typeof workspaces.create>) {
  const { orgId, userId } = ctx.caller
  const id = newId()
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    await queries.insertWorkspace(inside.sql, orgId, userId, { id, name, now: ctx.now() })
    await recordAudit(inside, { action: 'workspace.created', by: ctx.caller, target: id, details: { name } })
    return findWorkspace(inside, id)
  })
}

/** Under the lock: a concurrent removal could otherwise leave an invisible default workspace. */
export async function chooseDefaultWorkspace(
  ctx: Context,
  { workspaceId }: InputOf<typeof workspaces.chooseDefault>,
) {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside)
    const workspace = await findWorkspace(inside, workspaceId)
    await queries.updateDefault(inside.sql, orgId, userId, workspace.id)
    return { ...workspace, isDefault: true }
  })
}

export async function renameWorkspace(ctx: Context, { id, name }: InputOf<typeof workspaces.rename>) {
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

/** Soft delete: the content is hidden, and its members get another active and default workspace. */
export async function deleteWorkspace(ctx: Context, input: InputOf<typeof workspaces.remove>) {
  const { orgId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    const { id, name } = await findWorkspace(inside, input.id)
    if (!(await queries.hasOtherWorkspace(inside.sql, orgId, id))) {
      throw conflict('The last workspace of an organization cannot be deleted')
    }
    await queries.updateDeleted(inside.sql, orgId, id, ctx.now())
    await reassignDefaultWorkspaces(inside.sql, orgId, null)
    await recordAudit(inside, { action: 'workspace.deleted', by: ctx.caller, target: id, details: { name } })
    return { deleted: true as const }
  })
}

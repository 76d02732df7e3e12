import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { conflict, forbidden, notFound, raise } from '../../../errors.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'
import { publishProjectEvent } from './events.ts'
import { lockProject } from './find.ts'
import { auditName, type ProjectRow, presentDetails } from './records.ts'
import * as queries from './workspace-queries.ts'

/** Shares a project with a workspace, or moves it there. */
export async function shareWithWorkspace(
  ctx: Context,
  { id: ref, workspaceId, primary }: InputOf<typeof projects.shareWithWorkspace>,
) {
  return ctx.transaction(async (inside) => {
    const { sql } = inside
    const row = await lockProject(inside, ref)
    const { orgId, id } = row
    const workspace = await findEditable(inside, workspaceId)
    await queries.insertProjectWorkspace(sql, orgId, {
      projectId: id,
      workspaceId: workspace.id,
      now: ctx.now(),
    })
    const isMoved = primary && row.workspaceId !== workspace.id
    if (isMoved) {
      await queries.deleteProjectWorkspace(sql, orgId, id, row.workspaceId)
      await queries.updatePrimaryWorkspace(sql, orgId, id, workspace.id)
    }
    return finishChange(inside, row, {
      action: isMoved ? 'project.moved' : 'project.workspace-added',
      workspace,
    })
  })
}

export async function unshareFromWorkspace(
  ctx: Context,
  { id: ref, workspaceId }: InputOf<typeof projects.unshareFromWorkspace>,
) {
  return ctx.transaction(async (inside) => {
    const row = await lockProject(inside, ref)
    const { orgId, id } = row
    if (row.workspaceId === workspaceId) {
      throw conflict(
        'This is the primary workspace of the project: move the project to another workspace instead',
      )
    }
    const removed = await queries.deleteProjectWorkspace(inside.sql, orgId, id, workspaceId)
    const workspace = removed ?? raise(notFound('Workspace'))
    return finishChange(inside, row, { action: 'project.workspace-removed', workspace })
  })
}

/** A workspace that the caller may edit in. Invisible workspaces get the same error as view-only ones. */
async function findEditable({ sql, caller }: Context, id: string) {
  const found = await queries.findEditableWorkspace(sql, caller.orgId, caller, id)
  return found ?? raise(forbidden('You cannot edit in this workspace', { reason: 'no_workspace_access' }))
}

interface Change {
  action: 'project.workspace-added' | 'project.workspace-removed' | 'project.moved'
  workspace: { id: string; name: string }
}

/** Responds with the access from before the change, which may have removed that of the caller. */
async function finishChange(ctx: Context, before: ProjectRow, { action, workspace }: Change) {
  const { orgId, id, access } = before
  const row = await queries.updateVersion(ctx.sql, orgId, id, ctx.now())
  const details = { ...auditName(row), workspaceId: workspace.id, workspace: workspace.name }
  await recordAudit(ctx, { action, by: ctx.caller, target: id, details })
  await publishProjectEvent(ctx, 'project.updated', row, { fields: ['workspaces'] })
  await ctx.sql`select ${notifyAccessChanged(ctx.sql, { orgId, projectId: id })}`
  return presentDetails({ ...row, access })
}

import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { conflict, forbidden, notFound, raise } from '../../../errors.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'
import { publishProjectEvent } from './events.ts'
import { lockProject } from './find.ts'
import { insertProjectWorkspace } from './queries.ts'
import { auditName, type DetailsRow, detailColumns, type ProjectRow, presentDetails } from './records.ts'

export async function shareWithWorkspace(
  ctx: Context,
  { id: ref, workspaceId, primary }: InputOf<typeof projects.shareWithWorkspace>,
) {
  return ctx.transaction(async (inside) => {
    const { sql } = inside
    const row = await lockProject(inside, ref)
    const { orgId, id } = row
    const workspace = await findEditable(inside, workspaceId)
    await insertProjectWorkspace(sql, orgId, {
      projectId: id,
      workspaceId: workspace.id,
      now: ctx.now(),
    })
    const isMoved = primary && row.workspaceId !== workspace.id
    if (isMoved) {
      await deleteProjectWorkspace(sql, orgId, id, row.workspaceId)
      await updatePrimaryWorkspace(sql, orgId, id, workspace.id)
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
      throw conflict('This is the project’s primary workspace: move the project to another workspace instead')
    }
    const removed = await deleteProjectWorkspace(inside.sql, orgId, id, workspaceId)
    const workspace = removed ?? raise(notFound('Workspace'))
    return finishChange(inside, row, { action: 'project.workspace-removed', workspace })
  })
}

/** Invisible workspaces get the same error as view-only ones. */
async function findEditable({ sql, caller }: Context, id: string) {
  const found = await findEditableWorkspace(sql, caller.orgId, caller, id)
  return found ?? raise(forbidden('You cannot edit in this workspace', { reason: 'no_workspace_access' }))
}

interface Change {
  action: 'project.workspace-added' | 'project.workspace-removed' | 'project.moved'
  workspace: { id: string; name: string }
}

/** Responds with the access from before, which the change may have removed. */
async function finishChange(ctx: Context, before: ProjectRow, { action, workspace }: Change) {
  const { orgId, id, access } = before
  const row = await updateVersion(ctx.sql, orgId, id, ctx.now())
  const details = { ...auditName(row), workspaceId: workspace.id, workspace: workspace.name }
  await recordAudit(ctx, { action, by: ctx.caller, target: id, details })
  await publishProjectEvent(ctx, 'project.updated', row, { fields: ['workspaces'] })
  await ctx.sql`select ${notifyAccessChanged(ctx.sql, { orgId, projectId: id })}`
  return presentDetails({ ...row, access })
}

interface NamedWorkspace {
  id: string
  name: string
}

async function findEditableWorkspace(sql: Sql, orgId: string, { userId, role }: Caller, id: string) {
  const [row] = await sql<NamedWorkspace[]>`
    select w.id, w.name from workspaces w
    where w.org_id = ${orgId} and w.id = ${id} and w.deleted_at is null and (${role} <> 'member' or exists (
      select from workspace_members m
      where m.org_id = w.org_id and m.workspace_id = w.id and m.user_id = ${userId} and m.role <> 'viewer'))`
  return row ?? null
}

async function deleteProjectWorkspace(sql: Sql, orgId: string, projectId: string, workspaceId: string) {
  const [row] = await sql<NamedWorkspace[]>`
    delete from project_workspaces l using workspaces w
    where l.org_id = ${orgId} and l.project_id = ${projectId} and l.workspace_id = ${workspaceId}
      and w.org_id = l.org_id and w.id = l.workspace_id
    returning w.id, w.name`
  return row ?? null
}

const updatePrimaryWorkspace = (sql: Sql, orgId: string, id: string, workspaceId: string) =>
  sql`update projects set workspace_id = ${workspaceId} where org_id = ${orgId} and id = ${id}`

/** Responses include workspaces, so the version changes with them. */
async function updateVersion(sql: Sql, orgId: string, id: string, now: Date) {
  const [row] = await sql<Omit<DetailsRow, 'access'>[]>`
    update projects p set version = version + 1, updated_at = ${now}
    where p.org_id = ${orgId} and p.id = ${id} returning ${detailColumns(sql)}`
  return row!
}

import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import { together } from '../../../database/together.ts'
import { forbidden, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { projectFolders } from '../../files/files/files.ts'
import { publishProjectEvent } from './events.ts'
import {
  findWorkspaceMembership,
  insertProject,
  insertProjectWorkspace,
  lockWithFolders,
  type ProjectFields,
} from './queries.ts'
import { type ProjectRow, present } from './records.ts'
import { nextSlug, preferredSlug } from './slug.ts'

export const UNTITLED = 'Untitled project'

export async function create(ctx: Context<'quotas'>, input: InputOf<typeof projects.create>) {
  const { description = null, prompt = null, emoji = null, visibility } = input
  const fields = { name: input.name || UNTITLED, description, prompt, emoji, tags: [], metadata: {} }
  return present(await createProject(ctx, { ...fields, visibility, publishes: true }))
}

interface NewProjectOptions extends Omit<ProjectFields, 'visibility'> {
  visibility?: ProjectRow['visibility'] | undefined
  /** A copied prompt's author. Defaults to the caller. */
  promptBy?: string | null | undefined
  /** Used if the caller may create projects there, otherwise the active workspace. */
  workspaceId?: string
  /** Publishes `project.created`. Otherwise the caller publishes an event. */
  publishes?: boolean
}

/** Visibility defaults to the user's setting. */
export async function createProject(
  ctx: Context<'quotas'>,
  { visibility, workspaceId, publishes = false, ...fields }: NewProjectOptions,
): Promise<ProjectRow> {
  return ctx.transaction(async (inside) => {
    const { sql, caller, quotas } = inside
    const now = inside.now()
    const workspace =
      (workspaceId && (await findCreatableWorkspace(inside, workspaceId))) ||
      (await requireActiveWorkspace(inside))
    const project = { ...fields, visibility: visibility ?? workspace.visibility, workspaceId: workspace.id }
    const row = await insertWithUniqueSlug(inside, { ...project, id: newId(), now })
    const [folderId] = await together([
      projectFolders.provision(inside, row.id, row.name),
      insertProjectWorkspace(sql, caller.orgId, { projectId: row.id, workspaceId: workspace.id, now }),
      quotas.requireWithin(sql, caller.orgId, 'projects', now),
      publishes && publishProjectEvent(inside, 'project.created', row),
    ])
    return { ...row, folderId }
  })
}

/** FORBIDDEN without an active workspace, or for a viewer. */
export async function requireActiveWorkspace(ctx: Context): Promise<WorkspaceMembership> {
  const { workspaceId } = ctx.caller
  const membership = (workspaceId && (await findMembership(ctx, workspaceId))) || raise(noWorkspace())
  if (membership.canCreate) return membership
  throw forbidden('You have view-only access to this workspace', { reason: 'view_only' })
}

async function findCreatableWorkspace(ctx: Context, id: string): Promise<WorkspaceMembership | null> {
  const membership = await findMembership(ctx, id)
  return membership?.canCreate ? membership : null
}

interface WorkspaceMembership {
  id: string
  canCreate: boolean
  visibility: ProjectRow['visibility']
}

/** Owners and admins are members of all workspaces. */
async function findMembership({ sql, caller }: Context, id: string): Promise<WorkspaceMembership | null> {
  const found = await findWorkspaceMembership(sql, caller.orgId, caller.userId, id)
  if (!found || (caller.role === 'member' && found.role === null)) return null
  const canCreate = caller.role !== 'member' || found.role !== 'viewer'
  return { id, canCreate, visibility: found.visibility ?? 'team' }
}

export const noWorkspace = () =>
  forbidden('You belong to no workspace: ask an admin to add you to one', { reason: 'no_workspace' })

type Insertable = Omit<Parameters<typeof insertProject>[3], 'slug'>

/** A concurrent insert with the same slug waits, then takes the next number. */
async function insertWithUniqueSlug({ sql, caller }: Context, project: Insertable): Promise<ProjectRow> {
  const { orgId, userId } = caller
  const preferred = preferredSlug(project)
  let slug = preferred
  for (;;) {
    const row = await insertProject(sql, orgId, userId, { ...project, slug })
    if (row) return row
    slug = await nextSlug(sql, orgId, preferred)
  }
}

/** Projects created before folders existed have none. */
export async function ensureFolder(ctx: Context<'quotas'>, row: ProjectRow): Promise<ProjectRow> {
  if (row.folderId !== null) return row
  const folders = await createFolders(ctx, [row])
  return { ...row, folderId: folders.get(row.id) ?? null }
}

export const createFolders = (
  ctx: Context<'quotas'>,
  projects: { id: string }[],
): Promise<Map<string, string>> =>
  ctx.transaction(async (inside) => {
    const ids = projects.map(({ id }) => id)
    const folders = new Map<string, string>()
    for (const { id, name, folderId } of await lockWithFolders(inside.sql, ctx.caller.orgId, ids)) {
      folders.set(id, folderId ?? (await projectFolders.provision(inside, id, name)))
    }
    return folders
  })

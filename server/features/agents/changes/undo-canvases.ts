import type { Context } from '../../../context.ts'
import { ApiError, forbidden } from '../../../errors.ts'
import { type CanvasUndo, listChangedProjects, planCanvasUndo } from '../../canvas/canvas/canvas.ts'
import { lockProject, type ProjectRow } from '../../projects/projects/projects.ts'
import { listDescendants } from '../runs/runs.ts'

/**
 * Locks the project of a run, and every project whose canvas the run or a run that it started has changed. Returns a
 * function that plans an undo on these canvases; canvases without a change are left out.
 */
export async function planCanvases(ctx: Context, projectId: string, rootId: string) {
  const projects = await lockProjects(ctx, projectId, rootId)
  return async (targetIds: readonly string[]): Promise<CanvasUndo[]> => {
    const plans: CanvasUndo[] = []
    for (const project of projects.values()) plans.push(await planCanvasUndo(ctx, project, targetIds))
    return plans.filter(({ items }) => items.length > 0)
  }
}

/**
 * Locks in the order of the ids, so that two undos never deadlock. The transaction must not have locked another
 * project.
 */
export async function lockProjects(
  ctx: Context,
  projectId: string,
  rootId: string,
): Promise<Map<string, ProjectRow>> {
  const { orgId } = ctx.caller
  const started = await listDescendants(ctx.sql, orgId, rootId)
  const changed = await listChangedProjects(ctx.sql, orgId, [rootId, ...started.map(({ id }) => id)])
  const projects = new Map<string, ProjectRow>()
  for (const id of [...new Set([projectId, ...changed])].toSorted())
    projects.set(id, await (id === projectId ? lockProject(ctx, id) : lockOther(ctx, id)))
  return projects
}

/** The caller may have no access to the other project. */
async function lockOther(ctx: Context, id: string): Promise<ProjectRow> {
  try {
    return await lockProject(ctx, id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw forbidden('The run also changed a project that you cannot edit', { reason: 'view_only' })
  }
}

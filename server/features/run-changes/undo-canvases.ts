import type { Context } from '../../context.ts'
import { ApiError, forbidden } from '../../errors.ts'
import { type CanvasUndo, listChangedProjects, planCanvasUndo } from '../canvas/canvas.ts'
import { lockProject, type ProjectRow } from '../projects/projects.ts'

/**
 * Locks the project of a run and every project whose canvas it changed, in one order, so that two undos never wait for
 * each other. Returns a function that plans the undo of a run on these canvases; canvases without a change are left out.
 */
export async function planCanvases(ctx: Context, projectId: string, rootId: string) {
  const changed = await listChangedProjects(ctx.sql, ctx.caller.orgId, rootId)
  const ids = [...new Set([projectId, ...changed])].toSorted()
  const projects: ProjectRow[] = []
  for (const id of ids) projects.push(await (id === projectId ? lockProject(ctx, id) : lockOther(ctx, id)))
  return async (targetId: string): Promise<CanvasUndo[]> => {
    const plans: CanvasUndo[] = []
    for (const project of projects) plans.push(await planCanvasUndo(ctx, project, targetId))
    return plans.filter(({ items }) => items.length > 0)
  }
}

/** The caller may not know the other project. */
async function lockOther(ctx: Context, id: string): Promise<ProjectRow> {
  try {
    return await lockProject(ctx, id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw forbidden('The run also changed a project that you cannot edit', { reason: 'view_only' })
  }
}

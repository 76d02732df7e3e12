import type { runs } from '../../../../contract/canvas/runs.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { ApiError, conflict } from '../../../errors.ts'
import { takeSnapshot } from '../../canvas/canvas/canvas.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { findLastFailed, findUndoable, hasRunning } from '../runs/runs.ts'
import { applyUndo, lockProjects, planUndo, type UndoneItem } from './undo.ts'

/**
 * Finds the run before locking anything, because every undo locks all a run's projects in the same order. Looks the run
 * up again under these locks.
 */
export const restoreLastRun = (
  ctx: Context<'quotas'>,
  { projectId, force }: InputOf<typeof runs.restoreLast>,
) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const { orgId, id } = await findProject(inside, projectId, 'edit')
    const found = await findLastFailed(sql, orgId, id)
    if (!found) throw nothingToRestore('No run in this project has failed')
    const projects = await lockProjects(inside, id, found.id)
    const failed = await findLastFailed(sql, orgId, id)
    if (failed?.id !== found.id) throw conflict('Another run has failed since: try again')
    if (failed.restoredAt !== null) throw nothingToRestore('The last failed run has already been reverted')
    if (await hasRunning(sql, orgId, id))
      throw conflict('A run is in progress: wait for it to finish or cancel it, then try again')
    const run = await findUndoable(inside, failed.id, 'edit')
    const plan = await planUndo(inside, run, { lock: true })
    if (!force) refuseEdited(plan.items)
    const { snapshotId } = await applyUndo(inside, plan)
    return {
      runId: run.id,
      blocks: plan.items.flatMap(({ kind, id: blockId, action }) =>
        kind === 'block' && action !== 'skipped' ? [{ id: blockId, action }] : [],
      ),
      files: plan.items.flatMap(({ kind, id: fileId, action }) =>
        kind === 'file' ? [{ id: fileId, action }] : [],
      ),
      snapshotId: snapshotId ?? (await takeSnapshot(inside, projects.get(id)!, { reason: 'run' })).id,
    }
  })

const nothingToRestore = (message: string) => new ApiError('NOT_FOUND', message)

/** Ignores changed edges: an edge without its blocks stays removed. */
function refuseEdited(items: readonly UndoneItem[]): void {
  const idsOf = (kind: UndoneItem['kind']) =>
    items
      .filter((item) => item.kind === kind && item.isConflict)
      .map(({ id }) => id)
      .toSorted()
  const [blocks, files] = [idsOf('block'), idsOf('file')]
  if (blocks.length + files.length === 0) return
  const edited = [countOf(blocks.length, 'block'), countOf(files.length, 'file')]
    .filter(Boolean)
    .join(' and ')
  const verb = blocks.length + files.length === 1 ? 'was' : 'were'
  throw new ApiError(
    'CONFLICT',
    `${edited} ${verb} edited since the run: send force=true to revert it anyway`,
    { details: { reason: 'edited_since', blocks, ...(files.length > 0 && { files }) } },
  )
}

const countOf = (count: number, noun: string) =>
  count === 0 ? '' : count === 1 ? `One ${noun}` : `${count} ${noun}s`

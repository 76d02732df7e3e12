import type { runs } from '../../../../contract/canvas/runs.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { ApiError, conflict } from '../../../errors.ts'
import { lockProject, type ProjectRow, publishProjectEvent } from '../../projects/projects.ts'
import { findLastFailed, hasRunning, listEditedSince, updateRestored } from '../../runs/runs.ts'
import { writeCanvas } from '../write/write.ts'
import { type FoldedRow, foldItems, foldRun } from './history-queries.ts'
import { invert } from './revert.ts'
import { takeSnapshot } from './snapshots.ts'

/** Reverts the changes of the last failed run, and no others. */
export const restoreLastRun = (ctx: Context, { projectId, force }: InputOf<typeof runs.restoreLast>) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const project = await lockProject(inside, projectId)
    const { orgId, id } = project
    const run = await findLastFailed(sql, orgId, id)
    if (!run) throw nothingToRestore('No run of this project has failed')
    if (run.restoredAt !== null) throw nothingToRestore('The last failed run has already been reverted')
    if (await hasRunning(sql, orgId, id))
      throw conflict('A run is in progress: wait for it to finish or cancel it, then try again')
    const edited = await listEditedSince(sql, orgId, id, run.id)
    if (edited.length > 0 && !force) throw editedSince(edited)

    const write = invert(await foldRunChanges(inside, project, run.id))
    const snapshot = await takeSnapshot(inside, project, { reason: 'run' })
    await writeCanvas(inside, project, write, { isRestoring: true })
    await updateRestored(sql, orgId, id, run.id, ctx.now())
    await publishProjectEvent(inside, 'project.restored', project, { from: 'run', runId: run.id })
    const blocks = [
      ...write.update.blocks!.map((block) => ({ id: block.id, action: 'reverted' as const })),
      ...write.create.blocks!.map((block) => ({ id: block.id, action: 'recreated' as const })),
      ...write.delete.blocks!.map((blockId) => ({ id: blockId, action: 'removed' as const })),
    ]
    return { runId: run.id, blocks, snapshotId: snapshot.id }
  })

/**
 * The changes of the run. A block that the run updated and that was removed since is restored to its state before the
 * run; an edge of that kind stays removed.
 */
async function foldRunChanges(
  { sql }: Context,
  { orgId, id }: ProjectRow,
  runId: string,
): Promise<FoldedRow[]> {
  const folded = await foldRun(sql, orgId, id, runId)
  const isWhole = ({ isNew, exists, before }: FoldedRow) =>
    isNew || exists || 'type' in before! || 'fromBlockId' in before!
  const lost = folded.filter((row) => !isWhole(row) && row.entity === 'block')
  const found = lost.length > 0 ? await foldItems(sql, orgId, id, lost) : []
  return [...folded.filter(isWhole), ...found]
}

const nothingToRestore = (message: string) => new ApiError('NOT_FOUND', message)

const editedSince = (blocks: string[]) =>
  new ApiError(
    'CONFLICT',
    `${blocks.length === 1 ? 'One block was' : `${blocks.length} blocks were`} edited since the run: send force=true to revert it anyway`,
    { details: { reason: 'edited_since', blocks } },
  )

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

/** Takes back what the last failed run did to the canvas, and nothing else. */
export const restoreLastRun = (ctx: Context, { projectId, force }: InputOf<typeof runs.restoreLast>) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const project = await lockProject(inside, projectId)
    const { orgId, id } = project
    const run = await findLastFailed(sql, orgId, id)
    if (!run) throw nothingToRestore('No run of this project has failed')
    if (run.restoredAt !== null) throw nothingToRestore('The last failed run was taken back already')
    if (await hasRunning(sql, orgId, id))
      throw conflict('A run is going on: wait for its end, or cancel it, and try again')
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
 * What the run did. A block that it only changed and that was removed since comes back as it was before the run; an
 * edge of that kind stays away.
 */
async function foldRunChanges(
  { sql }: Context,
  { orgId, id }: ProjectRow,
  runId: string,
): Promise<FoldedRow[]> {
  const folded = await foldRun(sql, orgId, id, runId)
  const isWhole = ({ isNew, isThere, before }: FoldedRow) =>
    isNew || isThere || 'type' in before! || 'fromBlockId' in before!
  const lost = folded.filter((row) => !isWhole(row) && row.entity === 'block')
  const found = lost.length > 0 ? await foldItems(sql, orgId, id, lost) : []
  return [...folded.filter(isWhole), ...found]
}

const nothingToRestore = (message: string) => new ApiError('NOT_FOUND', message)

const editedSince = (blocks: string[]) =>
  new ApiError(
    'CONFLICT',
    `${blocks.length === 1 ? 'One block was' : `${blocks.length} blocks were`} edited since the run: send force=true to take it back nonetheless`,
    { details: { reason: 'edited_since', blocks } },
  )

import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { findLastUndo, findUndoable } from '../runs/runs.ts'

/**
 * The run whose changes an undo has to revert. A run that was undone and restored is undone again by reverting the last
 * of these: what others changed in between is then not mistaken for a change of the run. Read under the lock of the
 * project.
 */
export async function findTarget(ctx: Context, runId: string, rootId: string) {
  const root = await findUndoable(ctx, rootId, 'edit')
  const last = await findLastUndo(ctx.sql, root.orgId, rootId)
  const isUndone = root.restoredAt !== null
  const isReverted = runId === rootId ? isUndone : runId !== last?.id || last.restoredAt !== null
  if (isReverted) throw alreadyUndone(runId === rootId ? (last?.id ?? null) : null)
  const target = last ?? root
  if (target.releasedAt !== null) throw expired()
  return { id: target.id, isUndone }
}

const alreadyUndone = (undoRunId: string | null) =>
  new ApiError(
    'CONFLICT',
    undoRunId
      ? `The changes of this run have been undone: undo the run ${undoRunId} to restore them`
      : 'The changes of this run have been undone',
    { details: { reason: 'already_undone', undoRunId } },
  )

const expired = () =>
  new ApiError(
    'CONFLICT',
    'The run ended more than 30 days ago, and the former contents of its files have been deleted: restore the canvas from its history',
    { details: { reason: 'expired' } },
  )

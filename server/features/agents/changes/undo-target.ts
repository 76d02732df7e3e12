import type { Context, JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import type { EmptyProject } from '../../../feature.ts'
import { deleteRunChanges, listReleasable, listRunsWithChanges } from '../../files/files/files.ts'
import { findLastUndo, findUndoable, listDescendants, updateReleased } from '../runs/runs.ts'

/** Runs that an undo must revert together. */
export interface UndoTarget {
  ids: string[]
  /** Descendants of the root run, which undos and restores refer to. */
  startedIds: string[]
  isUndone: boolean
}

/**
 * A run's first undo reverts it and the runs it started, except runs undone separately. A later undo or restore reverts
 * the last undo run instead, so others' changes in between don't count as the run's. The caller must hold the project's
 * lock.
 */
export async function findTarget(ctx: Context, runId: string, rootId: string): Promise<UndoTarget> {
  const root = await findUndoable(ctx, rootId, 'edit')
  const [last, started] = [
    await findLastUndo(ctx.sql, root.orgId, rootId),
    await listDescendants(ctx.sql, root.orgId, rootId),
  ]
  if ([root, ...started].some(({ status }) => ACTIVE.includes(status))) throw active()
  const isUndone = root.restoredAt !== null
  const isReverted = runId === rootId ? isUndone : runId !== last?.id || last.restoredAt !== null
  if (isReverted) throw alreadyUndone(runId === rootId ? (last?.id ?? null) : null)
  const targets = last ? [last] : [root, ...started.filter(({ restoredAt }) => restoredAt === null)]
  if (targets.some(({ releasedAt }) => releasedAt !== null)) throw expired()
  return { ids: targets.map(({ id }) => id), startedIds: started.map(({ id }) => id), isUndone }
}

const ACTIVE = ['queued', 'running', 'waiting']

const active = () =>
  new ApiError('CONFLICT', 'The run is in progress: wait for it to finish, or cancel it', {
    details: { reason: 'active' },
  })

const alreadyUndone = (undoRunId: string | null) =>
  new ApiError(
    'CONFLICT',
    undoRunId
      ? `This run’s changes have been undone: undo the run ${undoRunId} to restore them`
      : 'This run’s changes have been undone',
    { details: { reason: 'already_undone', undoRunId } },
  )

const expired = () =>
  new ApiError(
    'CONFLICT',
    'This run’s changes can no longer be undone: it ended more than 30 days ago, or its canvas history was pruned',
    { details: { reason: 'expired' } },
  )

const RETENTION_DAYS = 30
const BATCH_MAX = 200
const RUNS_PER_TRANSACTION = 20

/** For runs that ended 30 days ago. Also deletes contents only an undo would restore. */
export async function releaseExpired(ctx: JobContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - RETENTION_DAYS * 86_400_000)
  const expired = await listReleasable(ctx.sql, before, BATCH_MAX)
  for (const { orgId, runId } of expired)
    await ctx.transaction(async (inside) => {
      await updateReleased(inside.sql, orgId, runId, ctx.now())
      await deleteRunChanges(inside, orgId, runId)
    })
}

/** A purged project's runs can't be undone. */
export const releaseProjectRuns: EmptyProject = async (ctx, { orgId, id }) => {
  const runs = await listRunsWithChanges(ctx.sql, orgId, id, RUNS_PER_TRANSACTION)
  for (const { runId } of runs) {
    await updateReleased(ctx.sql, orgId, runId, ctx.now())
    await deleteRunChanges(ctx, orgId, runId)
  }
  return runs.length
}

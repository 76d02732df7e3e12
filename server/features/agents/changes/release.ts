import type { JobContext } from '../../../context.ts'
import type { EmptyProject } from '../../../feature.ts'
import { deleteRunChanges, listReleasable, listRunsWithChanges } from '../../files/files/files.ts'
import { updateReleased } from '../runs/runs.ts'

const RETENTION_DAYS = 30
const BATCH_MAX = 200
const RUNS_PER_TRANSACTION = 20

/** Deletes the changes of files by runs that ended 30 days ago, with the contents that only an undo would restore. */
export async function releaseExpired(ctx: JobContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - RETENTION_DAYS * 86_400_000)
  const expired = await listReleasable(ctx.sql, before, BATCH_MAX)
  for (const { orgId, runId } of expired)
    await ctx.transaction(async (inside) => {
      await updateReleased(inside.sql, orgId, runId, ctx.now())
      await deleteRunChanges(inside, orgId, runId)
    })
}

/** The runs of a purged project cannot be undone. */
export const releaseRunsOf: EmptyProject = async (ctx, { orgId, id }) => {
  const runs = await listRunsWithChanges(ctx.sql, orgId, id, RUNS_PER_TRANSACTION)
  for (const { runId } of runs) {
    await updateReleased(ctx.sql, orgId, runId, ctx.now())
    await deleteRunChanges(ctx, orgId, runId)
  }
  return runs.length
}

import type { JobContext } from '../../context.ts'
import { listReleasable, releaseChanges } from '../files/files.ts'
import { updateReleased } from '../runs/runs.ts'

const RETENTION_DAYS = 30
const BATCH_MAX = 200

/** Deletes the changes of files by runs that ended 30 days ago, with the contents that only an undo would restore. */
export async function releaseExpired(ctx: JobContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - RETENTION_DAYS * 86_400_000)
  const expired = await listReleasable(ctx.sql, before, BATCH_MAX)
  for (const { orgId, runId } of expired)
    await ctx.transaction(async (inside) => {
      await updateReleased(inside.sql, orgId, runId, ctx.now())
      await releaseChanges(inside, orgId, runId)
    })
}

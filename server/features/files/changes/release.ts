import type { JobContext } from '../../../context.ts'
import { removeUnownedObjects } from '../trash/purge.ts'
import { deleteChanges, deleteFormer } from './release-queries.ts'

/** Deletes the changes of a run, and the former contents that no other run can restore. */
export async function releaseChanges(ctx: JobContext, orgId: string, runId: string): Promise<void> {
  const { former, at } = await deleteChanges(ctx.sql, orgId, runId)
  if (former.length === 0) return
  await removeUnownedObjects(ctx, orgId, await deleteFormer(ctx.sql, orgId, former, at))
}

import type { JobContext } from '../../../../context.ts'
import { deleteChanges } from './release-queries.ts'

/** Deletes the changes of a run, which then cannot be undone. */
export const deleteRunChanges = (ctx: JobContext, orgId: string, runId: string): Promise<void> =>
  deleteChanges(ctx.sql, orgId, runId)

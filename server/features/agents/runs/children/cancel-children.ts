import type { JobContext } from '../../../../context.ts'
import { cancelOne } from '../api/control.ts'
import { listActiveChildren } from './tree-queries.ts'

/**
 * Cancels the children of a run that has ended, each in a transaction of its own. The end of each child cancels its own
 * children.
 */
export async function cancelChildren(
  ctx: JobContext,
  { orgId, runId }: { orgId: string; runId: string },
): Promise<void> {
  for (const id of await listActiveChildren(ctx.sql, orgId, runId))
    await ctx.transaction(({ sql }) => cancelOne(sql, orgId, id, null, ctx.now()))
}

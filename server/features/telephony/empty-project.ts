import type { EmptyProject } from '../../feature.ts'
import { deleteTelephony, releaseNumbersOf } from './empty-queries.ts'
import { numberReleased } from './numbers/jobs.ts'

/** Releases the numbers of a purged project, which no agent can answer, and deletes its calls and messages. */
export const emptyTelephony: EmptyProject = async (ctx, { orgId, id: projectId }, limit) => {
  const released = await releaseNumbersOf(ctx.sql, orgId, projectId, ctx.now())
  for (const { id } of released) await ctx.enqueue(numberReleased, { orgId, id })
  return released.length > 0 ? released.length : deleteTelephony(ctx.sql, orgId, projectId, limit)
}

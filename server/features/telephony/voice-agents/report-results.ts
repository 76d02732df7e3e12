import type { JobContext } from '../../../context.ts'
import { lockCall } from '../calls/call-queries.ts'
import { recordEntry } from '../calls/record.ts'
import { resultsDue } from './jobs.ts'
import { takeResults } from './results.ts'
import { findCallOfRun } from './task-queries.ts'
import { textCaller } from './text-caller.ts'

/** Called when a run that was queued during a call has ended. */
export async function enqueueResults(ctx: JobContext, { orgId, runId }: { orgId: string; runId: string }) {
  const callId = await findCallOfRun(ctx.sql, orgId, runId)
  if (callId !== null) await ctx.enqueue(resultsDue, { orgId, callId })
}

/**
 * Sends results to a caller who has hung up and agreed to text messages. During the call they come with the
 * next answer to the voice agent: ElevenLabs accepts no text for a call in progress.
 */
export const reportResults = (
  ctx: JobContext,
  { orgId, callId }: { orgId: string; callId: string },
): Promise<void> =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const call = await lockCall(sql, orgId, callId)
    if (!call || call.endedAt === null) return
    for (const result of await takeResults(inside, orgId, callId, ({ bySms }) => bySms)) {
      const problem = await textCaller(inside, orgId, call, result)
      const type = problem === null ? 'result_sent' : 'result_not_sent'
      await recordEntry(sql, orgId, callId, { at: inside.now(), type, detail: problem })
    }
  })

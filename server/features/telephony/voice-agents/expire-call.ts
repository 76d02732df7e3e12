import type { JobContext } from '../../../context.ts'
import { type CallRow, findCall } from '../calls/call-queries.ts'
import { advanceCall, recordEntry } from '../calls/record.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { resultsDue } from './jobs.ts'
import { expireOpenAi } from './openai/control-call.ts'
import { publishCall } from './publish-call.ts'

/** Ends a call that has reached its maximum length, or whose end its provider did not report. */
export const expireCall =
  (options: TelephonyOptions) =>
  async (ctx: JobContext, { orgId, callId }: { orgId: string; callId: string }): Promise<void> => {
    const call = await findCall(ctx.sql, orgId, callId)
    if (!call || call.endedAt !== null) return
    if (call.provider === 'openai') await expireOpenAi(options, ctx, orgId, call)
    else await endUnreported(ctx, orgId, call)
  }

const endUnreported = (ctx: JobContext, orgId: string, call: CallRow) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const at = inside.now()
    const { isEnd } = await advanceCall(sql, orgId, call.id, {
      ...{ status: 'completed', at, endReason: 'connection_lost' },
    })
    if (!isEnd) return
    await recordEntry(sql, orgId, call.id, { at, type: 'completed', detail: UNREPORTED })
    await publishCall(inside, orgId, 'call.ended', call, 'completed')
    await inside.enqueue(resultsDue, { orgId, callId: call.id })
  })

const UNREPORTED = 'The provider did not report the end of the call.'

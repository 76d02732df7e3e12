import type { CallEnd, CallStatus } from '../../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../../context.ts'
import { revokeCallGrants } from '../../../mcp/connected-apps/connected-apps.ts'
import { type CallRow, lockCall } from '../../calls/call-queries.ts'
import { advanceCall, recordEntry } from '../../calls/record.ts'
import { releaseCost } from '../../costs/budget.ts'
import { recordCost } from '../../costs/record-cost.ts'
import { publishCall } from '../publish-call.ts'
import { priceOf } from './price.ts'
import { stopWatching } from './watch-queries.ts'

interface Ending {
  status: CallStatus
  endReason: CallEnd
  detail?: string | null
}

/** Records the end of a call of OpenAI and its cost, and revokes its grant. May be repeated; the first end stays. */
export const recordEnd = (ctx: PublicContext, orgId: string, callId: string, ending: Ending): Promise<void> =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const at = inside.now()
    await revokeCallGrants(sql, orgId, callId, at)
    const call = await lockCall(sql, orgId, callId)
    if (!call) return
    const seconds = call.answeredAt === null ? 0 : secondsSince(call.answeredAt, at)
    const { isEnd } = await advanceCall(sql, orgId, callId, { ...ending, at, durationSeconds: seconds })
    if (!isEnd) return
    await stopWatching(sql, orgId, callId)
    await recordEntry(sql, orgId, callId, { at, type: ending.status, detail: ending.detail ?? null })
    await charge(inside, orgId, call, seconds)
    await publishCall(inside, orgId, 'call.ended', call, ending.status)
  })

const secondsSince = (time: string, at: Date) =>
  Math.max(0, Math.round((at.getTime() - Date.parse(time)) / 1000))

/** An estimate: OpenAI bills tokens, and reports no amount for a call. */
async function charge(
  { sql, now }: PublicContext,
  orgId: string,
  call: CallRow,
  seconds: number,
): Promise<void> {
  const { id: subjectId, projectId, agentId, ownerId } = call
  if (seconds === 0 || ownerId === null) return releaseCost(sql, orgId, subjectId)
  await recordCost(
    sql,
    orgId,
    {
      ...{
        kind: 'call',
        subjectId,
        item: 'conversation',
        provider: 'openai',
        numberId: null,
        isEstimate: true,
      },
      ...{ amount: priceOf(seconds), projectId, agentId, userId: ownerId, quantity: { seconds } },
    },
    now(),
  )
}

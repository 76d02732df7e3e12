import type { CallEnd } from '../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../context.ts'
import { lockCall } from '../calls/queries.ts'
import { advanceCall, type CallEntry, publishCall, recordEntry } from '../calls/record.ts'

interface BrowserCallEnd {
  /** The conversation's own reason takes precedence. */
  reason: CallEnd
  entry?: Pick<CallEntry, 'type' | 'detail'>
  /** A call that another connection has taken over goes on. */
  connection?: number
}

/** No carrier reports the end. May be repeated: the first end stays. */
export const endBrowserCall = (
  ctx: Pick<PublicContext, 'now' | 'transaction'>,
  orgId: string,
  id: string,
  { reason, entry, connection }: BrowserCallEnd,
): Promise<void> =>
  ctx.transaction(async ({ sql }) => {
    const call = await lockCall(sql, orgId, id)
    if (!call || call.endedAt !== null) return
    if (connection !== undefined && call.relay.connection !== connection) return
    const at = ctx.now()
    const { answeredAt, relay } = call
    const status = answeredAt === null ? 'canceled' : 'completed'
    const durationSeconds =
      answeredAt === null ? null : Math.max(0, Math.round((at.getTime() - Date.parse(answeredAt)) / 1000))
    if (entry) await recordEntry(sql, orgId, id, { at, ...entry })
    const endReason = relay.ending?.reason ?? reason
    const { isChanged } = await advanceCall(sql, orgId, id, { status, at, endReason, durationSeconds })
    if (!isChanged) return
    await recordEntry(sql, orgId, id, { at, type: status })
    await publishCall(sql, orgId, at, 'call.ended', call, status)
  })

import type { CallEnd } from '../../../../contract/telephony/telephony-options.ts'
import type { Sql } from '../../../database/database.ts'
import { recordLegCost } from '../costs/estimate-cost.ts'
import { requestTranscript } from '../recordings/transcript.ts'
import { endTransfer } from '../transfer/change-transfer.ts'
import { publishCall } from './call-events.ts'
import type { CallRow } from './call-queries.ts'
import { endReasonOf, isFinalStatus, statusOf } from './carrier-status.ts'
import { advanceCall, recordEntry } from './record.ts'
import { updateDuration } from './write-queries.ts'

/** A report of the carrier about a call: in a callback, or as the response to a query. */
export interface CarrierReport {
  status: string
  /** Null if the carrier does not number its statuses, or if this is its response to a request. */
  sequence: number | null
  durationSeconds: number | null
  at: Date
}

/**
 * Applies a report of the carrier to a call, whose row the caller has locked. A repeated or late report changes
 * nothing; the end is stored in every case.
 */
export async function applyReport(
  sql: Sql,
  orgId: string,
  call: CallRow,
  { status: reported, sequence, durationSeconds, at }: CarrierReport,
): Promise<void> {
  const status = statusOf(reported)
  if (status === null) return
  const isEnd = isFinalStatus(status)
  if (!isEnd && sequence !== null && sequence <= call.sequence) return
  const endReason = isEnd ? (plannedEnd(call) ?? endReasonOf(status, call.direction)) : null
  const { isChanged } = await advanceCall(sql, orgId, call.id, {
    ...{ status, at, endReason, sequence },
    durationSeconds: isEnd ? durationSeconds : null,
  })
  if (isChanged) {
    // Sent together: they take one round trip.
    await Promise.all([
      recordEntry(sql, orgId, call.id, { at, type: status, key: `carrier ${status}` }),
      publishCall(sql, orgId, at, isEnd ? 'call.ended' : 'call.updated', call, status),
    ])
    if (isEnd) await requestTranscript(sql, orgId, call, at)
    if (isEnd) await endTransfer(sql, orgId, call, at)
  } else if (isEnd && durationSeconds !== null) {
    // This server ended the call before the carrier reported its length.
    await updateDuration(sql, orgId, call.id, durationSeconds)
  }
  if (isEnd) await concludeCost(sql, orgId, call, durationSeconds, at)
}

/** The reason for which the conversation has decided to end the call; null if it has not. */
const plannedEnd = ({ relay }: CallRow): CallEnd | null =>
  (relay as { ending?: { reason?: CallEnd } }).ending?.reason ?? null

async function concludeCost(sql: Sql, orgId: string, call: CallRow, seconds: number | null, now: Date) {
  const { id, numberId, projectId, agentId, providerId, direction, to } = call
  const userId = call.ownerId ?? call.createdBy
  if (numberId === null || userId === null) return
  await recordLegCost(
    sql,
    orgId,
    {
      ...{ callId: id, providerId, direction, numberId, to, seconds, projectId, agentId, userId },
      keyId: call.keyId,
      hasSpeech: call.sessionId !== null,
    },
    now,
  )
}

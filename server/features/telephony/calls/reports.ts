import { z } from 'zod'
import { dictionary } from '../../../../contract/dictionary.ts'
import { Id } from '../../../../contract/fields.ts'
import {
  type CallEnd,
  type CallStatus,
  OPEN_CALL_STATUSES,
} from '../../../../contract/telephony/telephony-options.ts'
import type { Sql } from '../../../database/database.ts'
import { addJob, job } from '../../../jobs/job.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'
import { recordLegCost } from '../costs/record-cost.ts'
import type { HandleCallback } from '../numbers/called-number.ts'
import type { CallRow } from './call.ts'
import { endTransfer } from './change-transfer.ts'
import { lockByProvider, lockCall, updateDuration, updateProviderId } from './queries.ts'
import { advanceCall, publishCall, recordEntry } from './record.ts'

export interface CarrierReport {
  status: string
  /** Null if the carrier doesn't number statuses, or for a query. */
  sequence: number | null
  durationSeconds: number | null
  at: Date
}

/** The caller must hold the call's lock. Repeated or late reports change nothing, but the end is always stored. */
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
    // One round trip.
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

/** Null unless the conversation decided to end the call. */
const plannedEnd = ({ relay }: CallRow): CallEnd | null => relay.ending?.reason ?? null

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

export const storeTranscriptJob = job(
  'telephony.store-transcript',
  z.object({ orgId: z.uuid(), callId: z.uuid() }),
)

/** The last message's run may still write. */
const TRANSCRIPT_DELAY_MS = 30_000

/** Only if the call's rule records calls. */
export async function requestTranscript(
  sql: Sql,
  orgId: string,
  { id: callId, action, sessionId }: Pick<CallRow, 'id' | 'action' | 'sessionId'>,
  now: Date,
): Promise<void> {
  if (action.record !== true || sessionId === null) return
  const runAt = new Date(now.getTime() + TRANSCRIPT_DELAY_MS)
  await sql`select ${addJob(sql, storeTranscriptJob, { orgId, callId }, { runAt })}`
}

const STATUSES: Readonly<Record<string, CallStatus>> = dictionary({
  queued: 'queued',
  initiated: 'queued',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  answered: 'in_progress',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'failed',
  canceled: 'canceled',
})

const statusOf = (reported: string): CallStatus | null => STATUSES[reported] ?? null

const isFinalStatus = (status: CallStatus): boolean => !OPEN_CALL_STATUSES.includes(status)

function endReasonOf(status: CallStatus, direction: 'inbound' | 'outbound'): CallEnd | null {
  if (status === 'busy') return 'busy'
  if (status === 'no_answer') return 'no_answer'
  if (status === 'failed') return 'carrier_failed'
  if (status === 'completed' || status === 'canceled')
    return direction === 'inbound' ? 'caller_hung_up' : null
  return null
}

export const receiveStatus: HandleCallback = async (ctx, number, callback) => {
  const { CallSid: providerId } = callback.fields
  if (!providerId) return null
  const { orgId } = number
  await ctx.transaction(async ({ sql }) => {
    const call = await lockReported(sql, orgId, callback)
    if (call?.numberId !== number.id) return
    // A status proves that the carrier has the call, even if its response was lost.
    if (call.providerId === null) await updateProviderId(sql, orgId, call.id, providerId)
    else if (call.providerId !== providerId) return
    await applyReport(sql, orgId, { ...call, providerId }, reportOf(callback, ctx.now()))
  })
  return null
}

async function lockReported(sql: Sql, orgId: string, { query, fields }: CarrierCallback) {
  if (query.call === undefined) return lockByProvider(sql, orgId, 'twilio', fields.CallSid!)
  const id = Id.safeParse(query.call)
  return id.success ? lockCall(sql, orgId, id.data) : null
}

const reportOf = ({ fields }: CarrierCallback, at: Date): CarrierReport => ({
  status: fields.CallStatus ?? '',
  sequence: countOf(fields.SequenceNumber),
  durationSeconds: countOf(fields.CallDuration),
  at,
})

const countOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null

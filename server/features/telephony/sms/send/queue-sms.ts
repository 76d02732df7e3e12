import { measureSms } from '../../../../../contract/telephony/sms-segments.ts'
import type { Sql } from '../../../../database/database.ts'
import { notify } from '../../../../database/transaction.ts'
import { publishIn } from '../../../../events/publish.ts'
import { newId } from '../../../../security/ids.ts'
import { isAllowedDestination } from '../../carrier/destination.ts'
import { reserveCost } from '../../costs/budget.ts'
import { estimateSms } from '../../costs/prices.ts'
import { insertSms, type NewSms, type SmsRow, touchConversation } from '../message-queries.ts'
import { isOptedOut } from '../opt-outs.ts'
import { type SendingNumber, wakeSender } from './queries.ts'

export const SMS_CHANNEL = 'atrium_sms'

export interface OutgoingSms {
  number: Pick<SendingNumber, 'id' | 'e164' | 'projectId' | 'settings'>
  to: string
  body: string
  purpose: NonNullable<NewSms['purpose']>
  media?: readonly string[]
  /** Sends it, or lends their permissions. */
  createdBy: string
  agentId?: string | null
  keyId?: string | null
  sessionId?: string | null
  runId?: string | null
}

export interface SmsRefusal {
  reason: 'recipient_opted_out' | 'destination_not_allowed' | 'budget_reached'
  message: string
}

/** Runs in the caller's transaction. A refused message isn't stored. */
export async function queueSms(
  sql: Sql,
  orgId: string,
  sms: OutgoingSms,
  now: Date,
): Promise<{ row: SmsRow; refusal: null } | { row: null; refusal: SmsRefusal }> {
  const id = newId()
  const refusal = await refusalOf(sql, orgId, sms, { id, now })
  if (refusal) return { row: null, refusal }
  const row = await insertSms(sql, orgId, newSms(sms, { id, now }, 'queued'))
  await touchConversation(sql, orgId, newSms(sms, { id, now }, 'queued'))
  await wakeSender(sql, orgId, sms.number.id, now)
  notify(sql, SMS_CHANNEL)
  return { row: row!, refusal: null }
}

/** No member waits, so a refused message is stored as failed to show why. */
export async function queueAutomaticSms(
  sql: Sql,
  orgId: string,
  sms: OutgoingSms,
  now: Date,
): Promise<{ isQueued: boolean }> {
  const { refusal } = await queueSms(sql, orgId, sms, now)
  if (!refusal) return { isQueued: true }
  const failedSms = newSms(sms, { id: newId(), now }, 'failed')
  await insertSms(sql, orgId, { ...failedSms, errorCode: refusal.reason, errorMessage: refusal.message })
  await touchConversation(sql, orgId, failedSms)
  await publishIn(sql, orgId, now, {
    type: 'sms.failed',
    data: {
      smsId: failedSms.id,
      projectId: failedSms.projectId,
      numberId: failedSms.numberId,
      status: 'failed',
      errorCode: refusal.reason,
    },
  })
  return { isQueued: false }
}

interface NewMessage {
  id: string
  now: Date
}

async function refusalOf(
  sql: Sql,
  orgId: string,
  sms: OutgoingSms,
  { id, now }: NewMessage,
): Promise<SmsRefusal | null> {
  const { number, to, body, purpose, createdBy, agentId = null, keyId = null } = sms
  // Only the opt-out's confirmation follows it.
  if (purpose !== 'notice' && (await isOptedOut(sql, orgId, { numberId: number.id, peer: to })))
    return {
      reason: 'recipient_opted_out',
      message: 'The recipient has opted out of messages from this number',
    }
  if (!isAllowedDestination(number, number.settings, to))
    return {
      reason: 'destination_not_allowed',
      message: `${number.e164} isn’t allowed to message ${to}: allow its prefix in the number’s settings`,
    }
  const amount = estimateSms('outbound', to, measureSms(body).segments)
  const payer = { projectId: number.projectId, agentId, userId: createdBy, keyId }
  const refusal = await reserveCost(sql, orgId, payer, { subjectId: id, amount }, now)
  return refusal === null ? null : { reason: 'budget_reached', message: refusal }
}

function newSms(sms: OutgoingSms, { id, now }: NewMessage, status: 'queued' | 'failed'): NewSms {
  const { number, to, body, purpose, media, createdBy, sessionId, runId } = sms
  const { encoding, segments } = measureSms(body)
  return {
    ...{ id, now, status, body, encoding, segments, purpose, createdBy, sessionId, runId },
    media: media ?? [],
    direction: 'outbound',
    numberId: number.id,
    e164: number.e164,
    projectId: number.projectId,
    peer: to,
  }
}

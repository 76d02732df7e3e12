import type { Sql } from '../../../database/database.ts'
import { releaseCost, type TelephonyPayer } from './budget.ts'
import { estimateLeg, estimateSms, estimateSpeech } from './prices.ts'
import { recordCost } from './record-cost.ts'

export interface EndedLeg extends TelephonyPayer {
  callId: string
  /** The id of the leg at the carrier; null if the carrier never had it. */
  providerId: string | null
  direction: 'inbound' | 'outbound'
  numberId: string
  /** Whom the leg reached; for an inbound one, the number of the organization. */
  to: string
  /** Since it was answered; null or 0 if it was not, which costs nothing. */
  seconds: number | null
  /** An agent spoke with the person through the carrier. */
  hasSpeech?: boolean
}

/** Records the estimate of a leg of a call at its end. May be repeated. */
export async function recordLegCost(sql: Sql, orgId: string, leg: EndedLeg, now: Date): Promise<void> {
  const { callId: subjectId, providerId, direction, to, hasSpeech = false } = leg
  const seconds = leg.seconds ?? 0
  if (providerId === null || seconds <= 0) return releaseCost(sql, orgId, subjectId)
  const common = { ...leg, kind: 'call', subjectId, provider: 'twilio', isEstimate: true } as const
  const amount = estimateLeg(direction, to, seconds)
  await recordCost(sql, orgId, { ...common, item: providerId, amount, quantity: { seconds } }, now)
  if (!hasSpeech) return
  const speech = {
    item: `speech ${providerId}`,
    numberId: null,
    amount: estimateSpeech(seconds),
    quantity: { seconds },
  }
  await recordCost(sql, orgId, { ...common, ...speech }, now)
}

export interface BilledSms extends TelephonyPayer {
  messageId: string
  providerId: string
  direction: 'inbound' | 'outbound'
  numberId: string
  to: string
  segments: number
}

/** Records the estimate of a message once the carrier has accepted or delivered it. May be repeated. */
export const recordSmsCost = (sql: Sql, orgId: string, message: BilledSms, now: Date): Promise<void> => {
  const { messageId: subjectId, providerId: item, direction, to, segments } = message
  const amount = estimateSms(direction, to, segments)
  const common = { kind: 'sms', provider: 'twilio', isEstimate: true, quantity: { segments } } as const
  return recordCost(sql, orgId, { ...message, ...common, subjectId, item, amount }, now)
}

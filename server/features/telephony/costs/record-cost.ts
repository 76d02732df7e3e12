import type { Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { newId } from '../../../security/ids.ts'
import { releaseCost, type TelephonyPayer } from './budget.ts'
import { estimateLeg, estimateSms, estimateSpeech } from './prices.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Carriers price a call some minutes after its end. */
const FIRST_AFTER_MS = 3 * MINUTE_MS

export interface IncurredCost extends TelephonyPayer {
  kind: 'call' | 'sms'
  subjectId: string
  /** The leg's or message's id at the carrier, or a service such as `speech`. */
  item: string
  provider: 'twilio' | 'openai' | 'elevenlabs'
  /** Its account reports the price. Null if no carrier does. */
  numberId: string | null
  /** In US dollars. */
  amount: string
  /** False: the provider reported it. */
  isEstimate: boolean
  /** `{ seconds }` or `{ segments }`. */
  quantity: Readonly<Record<string, number>>
}

/**
 * Once per item. Ends the reservation and reaches the ledger, and so budgets and project spend. A worker later replaces
 * an estimate with the carrier's amount.
 */
export const recordCost = (sql: Sql, orgId: string, cost: IncurredCost, now: Date): Promise<void> =>
  inTransaction(sql, async (inside) => {
    const dueAt = cost.isEstimate && cost.numberId !== null ? firstInquiry(now) : null
    // One round trip. The sum includes the item inserted before it.
    await Promise.all([
      insertCost(inside, orgId, { ...cost, keyId: cost.keyId ?? null, dueAt, now }),
      updateSubject(inside, orgId, cost),
      releaseCost(inside, orgId, cost.subjectId),
    ])
  })

export const updateSubject = (
  sql: Sql,
  orgId: string,
  { kind, subjectId }: Pick<IncurredCost, 'kind' | 'subjectId'>,
) => (kind === 'call' ? updateCallCost(sql, orgId, subjectId) : updateSmsCost(sql, orgId, subjectId))

interface EndedLeg extends TelephonyPayer {
  callId: string
  /** Null if the carrier never had the leg. */
  providerId: string | null
  direction: 'inbound' | 'outbound'
  numberId: string
  /** For an inbound leg, the organization's number. */
  to: string
  /** Since answered. Null or 0 costs nothing. */
  seconds: number | null
  hasSpeech?: boolean
}

/** Call it when the leg ends. May be repeated. */
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

interface BilledSms extends TelephonyPayer {
  messageId: string
  providerId: string
  direction: 'inbound' | 'outbound'
  numberId: string
  to: string
  segments: number
}

/** Call it once the carrier has accepted or delivered the message. May be repeated. */
export const recordSmsCost = (sql: Sql, orgId: string, message: BilledSms, now: Date): Promise<void> => {
  const { messageId: subjectId, providerId: item, direction, to, segments } = message
  const amount = estimateSms(direction, to, segments)
  const common = { kind: 'sms', provider: 'twilio', isEstimate: true, quantity: { segments } } as const
  return recordCost(sql, orgId, { ...message, ...common, subjectId, item, amount }, now)
}

interface CostItem {
  kind: 'call' | 'sms'
  subjectId: string
  item: string
  provider: string
  numberId: string | null
  projectId: string
  agentId: string | null
  userId: string
  keyId: string | null
  amount: string
  isEstimate: boolean
  quantity: Readonly<Record<string, number>>
  dueAt: Date | null
  now: Date
}

/** Adds to the ledger and project spend, once. */
const insertCost = (sql: Sql, orgId: string, cost: CostItem) => sql`
  with item as (
    insert into telephony_costs (org_id, kind, subject_id, item, provider, number_id, project_id, agent_id, user_id, key_id,
      amount, is_estimate, due_at, created_at)
    values (${orgId}, ${cost.kind}, ${cost.subjectId}, ${cost.item}, ${cost.provider}, ${cost.numberId}, ${cost.projectId},
      ${cost.agentId}, ${cost.userId}, ${cost.keyId}, ${cost.amount}, ${cost.isEstimate}, ${cost.dueAt}, ${cost.now})
    on conflict do nothing
    returning *
  ), entry as (
    insert into usage (org_id, id, project_id, run_id, step, attempt, kind, agent_id, user_id, key_id, provider, model,
      quantity, unit_cost, cost, price_source, at)
    select org_id, ${newId()}, project_id, null, 0, 1, kind, agent_id, user_id, key_id, provider, kind || '/' || provider,
      ${sql.json({ ...cost.quantity, subjectId: cost.subjectId })}, null, amount,
      case when is_estimate then 'estimate' else 'provider' end, created_at
    from item
    returning project_id, cost
  )
  update projects p set spend = p.spend + entry.cost from entry
  where p.org_id = ${orgId} and p.id = entry.project_id and entry.cost > 0`

const updateCallCost = (sql: Sql, orgId: string, id: string) => sql`
  update calls set cost = s.amount, cost_is_estimate = s.is_estimate
  from (
    select sum(amount) as amount, bool_or(is_estimate) as is_estimate from telephony_costs
    where org_id = ${orgId} and subject_id = ${id}
  ) s
  where calls.org_id = ${orgId} and calls.id = ${id} and s.amount is not null`

const updateSmsCost = (sql: Sql, orgId: string, id: string) => sql`
  update sms_messages set cost = s.amount, cost_is_estimate = s.is_estimate
  from (
    select sum(amount) as amount, bool_or(is_estimate) as is_estimate from telephony_costs
    where org_id = ${orgId} and subject_id = ${id}
  ) s
  where sms_messages.org_id = ${orgId} and sms_messages.id = ${id} and s.amount is not null`

const firstInquiry = (now: Date): Date => new Date(now.getTime() + FIRST_AFTER_MS)

/** The interval doubles. Null after a day, so the estimate stays. */
export function nextInquiry(createdAt: Date, attempts: number, now: Date): Date | null {
  const next = new Date(now.getTime() + FIRST_AFTER_MS * 2 ** attempts)
  return next.getTime() - createdAt.getTime() > DAY_MS ? null : next
}

interface FinalCost {
  subjectId: string
  item: string
  amount: string
  now: Date
}

/** Adds the difference to the ledger, once. */
export const settleCost = (sql: Sql, orgId: string, { subjectId, item, amount, now }: FinalCost) => sql`
  with estimate as (
    select org_id, subject_id, item, amount from telephony_costs
    where org_id = ${orgId} and subject_id = ${subjectId} and item = ${item} and is_estimate for update
  ), settled as (
    update telephony_costs c set amount = ${amount}, is_estimate = false, due_at = null from estimate e
    where c.org_id = e.org_id and c.subject_id = e.subject_id and c.item = e.item
    returning c.*, ${amount}::numeric - e.amount as difference
  ), entry as (
    insert into usage (org_id, id, project_id, run_id, step, attempt, kind, agent_id, user_id, key_id, provider, model,
      quantity, unit_cost, cost, price_source, at)
    select org_id, ${newId()}, project_id, null, 0, 2, kind, agent_id, user_id, key_id, provider, kind || '/' || provider,
      ${sql.json({ subjectId })}, null, difference, 'provider', ${now}
    from settled where difference <> 0
    returning project_id, cost
  )
  update projects p set spend = p.spend + entry.cost from entry
  where p.org_id = ${orgId} and p.id = entry.project_id`

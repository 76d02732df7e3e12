import type { Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { releaseCost, type TelephonyPayer } from './budget.ts'
import { insertCost, updateCallCost, updateSmsCost } from './cost-queries.ts'
import { firstInquiry } from './inquiry-times.ts'

export interface IncurredCost extends TelephonyPayer {
  kind: 'call' | 'sms'
  /** The id of the call or of the message. */
  subjectId: string
  /** The billed item: the id of the leg or of the message at the carrier, or the name of a service such as `speech`. */
  item: string
  provider: 'twilio' | 'openai' | 'elevenlabs'
  /** The number whose account reports the price; null if no carrier reports one. */
  numberId: string | null
  /** In US dollars. */
  amount: string
  /** False: the provider reported it. */
  isEstimate: boolean
  /** `{ seconds }` or `{ segments }`. */
  quantity: Readonly<Record<string, number>>
}

/**
 * Records the cost of a call or a message, once per item, and ends its reservation. Costs reach the ledger, and with it the
 * budgets and the spend of the project. For an estimate, a worker later requests the amount from the carrier.
 */
export const recordCost = (sql: Sql, orgId: string, cost: IncurredCost, now: Date): Promise<void> =>
  inTransaction(sql, async (inside) => {
    const dueAt = cost.isEstimate && cost.numberId !== null ? firstInquiry(now) : null
    // Sent together: they take one round trip, and the sum includes the item that is inserted before it.
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

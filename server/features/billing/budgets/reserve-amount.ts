import type { Sql } from '../../../database/database.ts'
import {
  fromMicros,
  isBinding,
  type Limit,
  listLimits,
  PERIODS,
  type Spender,
  toMicros,
  toMicrosUp,
} from './limits.ts'
import { withTotals } from './reserve.ts'
import {
  deleteReservations,
  insertReservations,
  insertTotals,
  lockTotals,
  totalsKeys,
} from './totals-queries.ts'

interface PlannedAmount {
  id: string
  /** In US dollars. Null for another currency or without a price, which no budget can count. */
  amount: string | null
}

export type AmountRefusal = Pick<Limit, 'scope' | 'period' | 'amount' | 'onReach'>

type ReservedAmount = { refusal: AmountRefusal } | { refusal: null; isReserved: boolean }

/** On every applicable budget, or returns the refusing one. */
export async function reserveAmount(
  sql: Sql,
  payer: Spender,
  planned: PlannedAmount,
  now: Date,
): Promise<ReservedAmount> {
  const allLimits = await listLimits(sql, payer, now)
  const unlockedLimits = allLimits.filter(({ period }) => period !== 'run' || payer.id !== null)
  if (planned.amount === null) {
    const refusal = unlockedLimits.find(isBinding) ?? null
    return refusal ? { refusal } : { refusal, isReserved: false }
  }
  const keys = totalsKeys(unlockedLimits)
  const missing = totalsKeys(unlockedLimits.filter(({ spent }) => spent === null))
  if (missing.length > 0) await insertTotals(sql, payer.orgId, missing)
  const amount = toMicrosUp(planned.amount)
  const limits = withTotals(unlockedLimits, await lockTotals(sql, payer.orgId, keys))
  const refused = limits.filter(isBinding).find((limit) => leftOf(limit) < amount)
  if (refused) return { refusal: refused }
  // The run's next model call must not spend the same amount before the payment ends.
  const above = [...new Set(unlockedLimits.flatMap(({ period, runId }) => (period === 'run' ? [runId] : [])))]
  const isReserved = keys.length + above.length > 0
  if (isReserved)
    await insertReservations(sql, payer.orgId, attemptOf(planned.id), { keys, above }, fromMicros(amount))
  return { refusal: null, isReserved }
}

/** Returns false if there was none. */
export const releaseAmount = async (sql: Sql, orgId: string, id: string): Promise<boolean> =>
  (await deleteReservations(sql, orgId, attemptOf(id))).length > 0

const SCOPES = { org: 'organization', project: 'project', agent: 'agent', user: 'member', key: 'API key' }

export const describeBudget = ({ scope, period, amount }: AmountRefusal): string =>
  `The ${SCOPES[scope]} budget ${PERIODS[period]}, ${Number(amount).toFixed(2)} USD,`

const leftOf = ({ amount, spent, reserved }: Limit): bigint =>
  toMicros(amount) - toMicros(spent ?? '0') - toMicros(reserved ?? '0')

/** For an amount, the run column holds its id. */
const attemptOf = (id: string) => ({ runId: id, step: 0, attempt: 0 })

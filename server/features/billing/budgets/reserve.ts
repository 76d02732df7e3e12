import type { Sql } from '../../../database/database.ts'
import { priceUsage } from '../../../language-models/cost.ts'
import type { Pricing } from '../../../language-models/prices.ts'
import {
  fromMicros,
  isBinding,
  type Limit,
  listLimits,
  type Spender,
  toMicros,
  toMicrosUp,
} from './limits.ts'
import {
  deleteReservations,
  insertReservations,
  insertTotals,
  lockTotals,
  reportTotals,
  type Totals,
  totalsKeys,
} from './totals-queries.ts'

/** If the model's limit is unknown. */
const OUTPUT_DEFAULT = 16_000
/** Below this, a call is refused. */
const OUTPUT_MIN = 4096

interface PlannedCall {
  step: number
  attempt: number
  /** An estimate. */
  inputTokens: number
  /** Null if unknown. */
  maxOutput: number | null
  /** Null if unknown. */
  pricing: Pricing | null
  additional: readonly AdditionalCall[]
}

export interface AdditionalCall {
  model: string
  pricing: Pricing | null
  inputTokens: number
  outputTokens: number
}

export interface Refusal {
  kind: 'refused'
  /** `reserved`: may fit once calls in progress end. `price`: unknown, so no budget could limit it. */
  reason: 'spent' | 'reserved' | 'price'
  limit: Limit
  /** Null without a price. */
  needed: string | null
  /** Set if it isn't the run's model. */
  model?: string
}

type ReservationResult =
  /** Null if it needs no limit. */
  { kind: 'reserved'; isReserved: boolean; maxOutputTokens: number | null } | Refusal

/**
 * On every applicable budget or none. Locks totals in one order, so that concurrent calls neither exceed a limit nor
 * deadlock.
 */
export async function reserveCall(
  sql: Sql,
  run: Spender & { id: string },
  call: PlannedCall,
  now: Date,
): Promise<ReservationResult> {
  const unlockedLimits = await listLimits(sql, run, now)
  const unlimited = { kind: 'reserved', isReserved: false, maxOutputTokens: null } as const
  if (unlockedLimits.length === 0) return unlimited
  const { pricing } = call
  const binding = unlockedLimits.find(isBinding)
  if (!pricing && binding) return { kind: 'refused', reason: 'price', limit: binding, needed: null }
  if (!pricing) return unlimited
  const unpriced = call.additional.find((other) => other.pricing === null)
  if (unpriced && binding)
    return { kind: 'refused', reason: 'price', limit: binding, needed: null, model: unpriced.model }
  const keys = totalsKeys(unlockedLimits)
  const missing = totalsKeys(unlockedLimits.filter(({ spent }) => spent === null))
  if (missing.length > 0) await insertTotals(sql, run.orgId, missing)
  const limits = withTotals(unlockedLimits, await lockTotals(sql, run.orgId, keys))
  const additionalCost = call.additional.reduce((sum, other) => sum + additionalCostOf(other, call), 0n)
  const maxCost = (output: number) => maxCostOf(pricing, call.inputTokens, output) + additionalCost
  const decision = decide(limits, call, maxCost)
  if (decision.kind === 'refused') return decision
  const { output } = decision
  const amount = fromMicros(maxCost(output))
  const above = runsAbove(limits, run.id)
  const isReserved = keys.length + above.length > 0
  if (isReserved)
    await insertReservations(sql, run.orgId, { ...call, runId: run.id }, { keys, above }, amount)
  return { kind: 'reserved', isReserved, maxOutputTokens: output === call.maxOutput ? null : output }
}

const additionalCostOf = (
  { pricing, inputTokens, outputTokens }: AdditionalCall,
  { maxOutput, ...call }: PlannedCall,
): bigint => {
  const longest = call.inputTokens + (maxOutput ?? OUTPUT_DEFAULT)
  return pricing ? maxCostOf(pricing, Math.min(inputTokens, longest), outputTokens) : 0n
}

/** Their other children may make calls at the same time. */
const runsAbove = (limits: readonly Limit[], runId: string): string[] => [
  ...new Set(
    limits.flatMap((limit) => (limit.period === 'run' && limit.runId !== runId ? [limit.runId] : [])),
  ),
]

/** Input written to the provider's cache can cost more than other input. */
function maxCostOf(pricing: Pricing, input: number, output: number): bigint {
  const costs = [0, input].map((cacheWrite) =>
    toMicrosUp(priceUsage(pricing, { input, output, cacheRead: 0, cacheWrite }).amount),
  )
  return costs.reduce((a, b) => (a > b ? a : b))
}

/**
 * Refuses if a budget can't pay for the shortest answer, now or until calls in progress end. Otherwise allows the
 * longest affordable answer.
 */
function decide(
  limits: readonly Limit[],
  { maxOutput }: PlannedCall,
  maxCost: (output: number) => bigint,
): { kind: 'afford'; output: number } | Refusal {
  const longest = maxOutput ?? OUTPUT_DEFAULT
  const shortest = Math.min(longest, OUTPUT_MIN)
  const refuse = (reason: Refusal['reason'], limit: Limit, output: number): Refusal => ({
    kind: 'refused',
    reason,
    limit,
    needed: fromMicros(maxCost(output)),
  })
  const binding = limits.filter(isBinding)
  const spentLimit = binding.find((limit) => unspentOf(limit) < maxCost(shortest))
  if (spentLimit) return refuse('spent', spentLimit, shortest)
  const affordable = binding.every((limit) => unspentOf(limit) >= maxCost(longest)) ? longest : shortest
  const reservedLimit = binding.find((limit) => availableOf(limit) < maxCost(affordable))
  if (reservedLimit) return refuse('reserved', reservedLimit, affordable)
  const lowest = binding.map(availableOf).reduce((a, b) => (a < b ? a : b), maxCost(longest))
  return { kind: 'afford', output: maxTokens(lowest, affordable, longest, maxCost) }
}

const unspentOf = ({ amount, spent }: Limit) => toMicros(amount) - toMicros(spent!)
const availableOf = (limit: Limit) => unspentOf(limit) - toMicros(limit.reserved!)

/** Prices may have tiers, so it bisects. */
function maxTokens(amount: bigint, low: number, high: number, maxCost: (output: number) => bigint): number {
  if (maxCost(high) <= amount) return high
  let [within, beyond] = [low, high]
  while (beyond - within > 1) {
    const middle = Math.floor((within + beyond) / 2)
    if (maxCost(middle) <= amount) within = middle
    else beyond = middle
  }
  return within
}

export const withTotals = (limits: readonly Limit[], totals: readonly Totals[]): Limit[] =>
  limits.map((limit) => {
    const row = totals.find(
      ({ scope, scopeId, period }) =>
        scope === limit.scope && scopeId === limit.scopeId && period === limit.period,
    )
    return row ? { ...limit, spent: row.spent, reserved: row.reserved } : limit
  })

/** In the transaction that writes the ledger. False without a reservation. */
export async function releaseCall(
  sql: Sql,
  run: { orgId: string; id: string },
  call: { n: number; attempt: number },
): Promise<boolean> {
  const attempt = { runId: run.id, step: call.n, attempt: call.attempt }
  return (await deleteReservations(sql, run.orgId, attempt)).length > 0
}

/** A run budget is reported only in the run. */
export async function reportRefused(
  sql: Sql,
  orgId: string,
  { scope, scopeId, period, periodStart }: Limit,
): Promise<void> {
  if (periodStart !== null) await reportTotals(sql, orgId, { scope, scopeId, period, periodStart }, 100)
}

import type { Sql } from '../../../database/database.ts'
import { costOf } from '../../../language-models/cost.ts'
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

/** For a model whose longest answer is not known; the call is limited to it. */
const OUTPUT_DEFAULT = 16_000
/** A call that can afford fewer tokens of output is refused. */
const OUTPUT_MIN = 4096

interface PlannedCall {
  step: number
  attempt: number
  /** An estimate. */
  inputTokens: number
  /** The longest answer of the model; null if it is not known. */
  maxOutput: number | null
  /** Null if the price of the model is not known. */
  pricing: Pricing | null
  /** Calls of other models that are part of this call, such as those of guardrails. */
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
  /**
   * `spent`: the budget does not allow the call. `reserved`: it may once calls in progress have ended. `price`: the price
   * of the model is not known, so that no budget could limit it.
   */
  reason: 'spent' | 'reserved' | 'price'
  limit: Limit
  /** The maximum cost of the call; null without a price. */
  needed: string | null
  /** The model without a price, if it is not that of the run. */
  model?: string
}

type ReservationResult =
  /** The longest answer that the budgets pay for; null if it needs no limit. */
  { kind: 'reserved'; isReserved: boolean; maxOutputTokens: number | null } | Refusal

/**
 * Reserves the maximum cost of a model call on every budget that applies to it, or on none. Rows of totals are locked
 * in one order, so that concurrent calls neither exceed a limit together nor deadlock.
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

/** The runs above this one that have a budget: other children of theirs may make calls at the same time. */
const runsAbove = (limits: readonly Limit[], runId: string): string[] => [
  ...new Set(
    limits.flatMap((limit) => (limit.period === 'run' && limit.runId !== runId ? [limit.runId] : [])),
  ),
]

const maxCostOf = (pricing: Pricing, input: number, output: number): bigint =>
  toMicrosUp(costOf(pricing, { input, output, cacheRead: 0, cacheWrite: 0 }).amount)

/**
 * Refuses a call whose shortest answer a budget cannot pay for, or, until calls in progress have ended, one that lacks
 * the amount of their reservations. Otherwise allows the longest answer that every budget can pay for.
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

/** The most tokens whose cost is within the amount, by bisection: prices may have tiers. */
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

/** The limits with the totals that are locked. */
export const withTotals = (limits: readonly Limit[], totals: readonly Totals[]): Limit[] =>
  limits.map((limit) => {
    const row = totals.find(
      ({ scope, scopeId, period }) =>
        scope === limit.scope && scopeId === limit.scopeId && period === limit.period,
    )
    return row ? { ...limit, spent: row.spent, reserved: row.reserved } : limit
  })

/**
 * Ends the reservation of a call, on the transaction that writes the ledger. The ledger has charged its cost to every
 * budget that applies. Returns whether there was a reservation.
 */
export async function releaseCall(
  sql: Sql,
  run: { orgId: string; id: string },
  call: { n: number; attempt: number },
): Promise<boolean> {
  const attempt = { runId: run.id, step: call.n, attempt: call.attempt }
  return (await deleteReservations(sql, run.orgId, attempt)).length > 0
}

/** Reports that a budget refused a call. A budget of a run is reported in the run alone. */
export async function reportRefused(
  sql: Sql,
  orgId: string,
  { scope, scopeId, period, periodStart }: Limit,
): Promise<void> {
  if (periodStart !== null) await reportTotals(sql, orgId, { scope, scopeId, period, periodStart }, 100)
}

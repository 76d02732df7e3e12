import type { Sql } from '../../../../database/database.ts'
import { priceUsage, type TokenUsage } from '../../../../language-models/cost.ts'
import type { Models } from '../../../../language-models/models.ts'
import type { Pricing } from '../../../../language-models/prices.ts'
import { newId } from '../../../../security/ids.ts'
import type { EngineRun } from '../state/run-row.ts'
import { releaseAttempt } from './budget-waits.ts'

const CHARACTERS_PER_TOKEN = 4

/** Several models judge and describe in parallel, so a counter would repeat. */
const ORDINAL_MAX = 2 ** 31 - 1

interface UsageOptions {
  isEstimate: boolean
  now: Date
  kind?: LedgerEntry['kind']
  ordinal?: number
}

interface Attempt {
  n: number
  attempt: number
  model: string
}

/**
 * Estimates unreported tokens. Returns the cost before the entry is recorded, or null without reported tokens or a
 * price.
 */
export function recordAnswer(
  sql: Sql,
  run: EngineRun,
  attempt: Attempt,
  { usage, text }: { usage: TokenUsage | null; text: string },
  { context }: { context: { tokens: number } },
  { pricing, isReserved }: { pricing: Pricing | null; isReserved: boolean },
  now: Date,
): { cost: string | null; recorded: Promise<unknown> } {
  const counted = usage ?? estimateOf(context, text.length)
  const recorded = Promise.all([
    record(sql, run, attempt, counted, pricing, { isEstimate: usage === null, now }),
    isReserved && releaseAttempt(sql, run, attempt, now),
  ])
  return { cost: usage && pricing && priceUsage(pricing, usage).amount, recorded }
}

/** From its prompt and answer characters. */
export async function recordInterrupted(
  sql: Sql,
  run: EngineRun,
  engine: { models: Pick<Models, 'describeKnown'> },
  attempt: Attempt & { context: { tokens: number } | null; characters: number },
  now: Date,
): Promise<void> {
  const pricing = (await engine.models.describeKnown(sql, run.orgId, attempt.model))?.pricing ?? null
  const usage = estimateOf(attempt.context, attempt.characters)
  await record(sql, run, attempt, usage, pricing, { isEstimate: true, now })
  await releaseAttempt(sql, run, attempt, now)
}

export const recordJudgment = (
  sql: Sql,
  run: EngineRun,
  attempt: Attempt,
  { usage, text }: { usage: TokenUsage | null; text: string },
  pricing: Pricing | null,
  now: Date,
): Promise<void> => {
  const estimate = estimateOf({ tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN) }, 0)
  const kind = { kind: 'guardrail' as const, ordinal: Math.ceil(Math.random() * ORDINAL_MAX) }
  return record(sql, run, attempt, usage ?? estimate, pricing, { isEstimate: usage === null, now, ...kind })
}

/** An image's, by the vision model. */
export const recordDescription = (
  sql: Sql,
  run: EngineRun,
  attempt: Attempt,
  { usage, text }: { usage: TokenUsage | null; text: string },
  context: { tokens: number },
  pricing: Pricing | null,
  now: Date,
): Promise<void> => {
  const kind = { kind: 'description' as const, ordinal: Math.ceil(Math.random() * ORDINAL_MAX) }
  const counted = usage ?? estimateOf(context, text.length)
  return record(sql, run, attempt, counted, pricing, { isEstimate: usage === null, now, ...kind })
}

/** Once per run, outside its steps. */
export const recordTitle = (
  sql: Sql,
  run: EngineRun,
  { usage, text }: { usage: TokenUsage | null; text: string },
  context: { tokens: number },
  pricing: Pricing | null,
  now: Date,
): Promise<void> =>
  record(
    sql,
    run,
    { n: 0, attempt: 0, model: run.model },
    usage ?? estimateOf(context, text.length),
    pricing,
    { isEstimate: usage === null, now },
  )

const estimateOf = (context: { tokens: number } | null, characters: number): TokenUsage => ({
  input: context?.tokens ?? 0,
  output: Math.ceil(characters / CHARACTERS_PER_TOKEN),
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
})

async function record(
  sql: Sql,
  run: EngineRun,
  { n, attempt, model }: Attempt,
  usage: TokenUsage,
  pricing: Pricing | null,
  { isEstimate, now, kind = 'tokens', ordinal = 0 }: UsageOptions,
): Promise<void> {
  const cost = pricing && priceUsage(pricing, usage)
  const source: LedgerEntry['priceSource'] = !cost ? 'unknown' : isEstimate ? 'estimate' : cost.source
  await insertUsage(sql, run, {
    step: n,
    attempt,
    kind,
    ordinal,
    provider: model.slice(0, model.indexOf('/')),
    model,
    quantity: usage,
    unitCost: cost?.unitPrices ?? null,
    cost: cost?.amount ?? null,
    priceSource: source,
    now,
  })
}

interface LedgerEntry {
  step: number
  attempt: number
  kind: 'tokens' | 'guardrail' | 'search' | 'description'
  ordinal: number
  provider: string
  model: string
  quantity: Partial<TokenUsage> & { searches?: number }
  unitCost: object | null
  cost: string | null
  priceSource: 'organization' | 'operator' | 'provider' | 'table' | 'estimate' | 'unknown'
  now: Date
}

/** Once per attempt. Adds to the run's and project's totals. */
export const insertUsage = (sql: Sql, run: EngineRun, entry: LedgerEntry) => sql`
  with entry as (
    insert into usage (org_id, id, project_id, run_id, step, attempt, kind, call_ordinal, agent_id, user_id, key_id, provider, model,
      quantity, unit_cost, cost, price_source, at)
    values (${run.orgId}, ${newId()}, ${run.projectId}, ${run.id}, ${entry.step}, ${entry.attempt}, ${entry.kind}, ${entry.ordinal},
      ${run.agentId}, ${run.createdBy}, ${run.keyId}, ${entry.provider}, ${entry.model},
      ${sql.json(entry.quantity as never)}, ${sql.json(entry.unitCost as never)}, ${entry.cost}, ${entry.priceSource},
      ${entry.now})
    on conflict do nothing
    returning cost
  ), counted as (
    update runs set cost = runs.cost + coalesce(entry.cost, 0), tokens_in = tokens_in + ${entry.quantity.input ?? 0},
      tokens_out = tokens_out + ${entry.quantity.output ?? 0},
      tokens_cache_read = tokens_cache_read + ${entry.quantity.cacheRead ?? 0},
      tokens_cache_write = tokens_cache_write + ${entry.quantity.cacheWrite ?? 0}
    from entry where runs.org_id = ${run.orgId} and runs.id = ${run.id}
  )
  update projects set spend = spend + entry.cost from entry
  where projects.org_id = ${run.orgId} and projects.id = ${run.projectId} and entry.cost > 0`

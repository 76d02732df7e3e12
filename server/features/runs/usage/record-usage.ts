import type { Sql } from '../../../database/database.ts'
import { costOf, type TokenUsage } from '../../../models/cost.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineRun } from '../engine/run-row.ts'
import { insertUsage, type LedgerEntry } from './usage-queries.ts'

/** Four characters are about one token, in the languages and models that were tried. */
const CHARACTERS_PER_TOKEN = 4

interface Attempt {
  n: number
  attempt: number
  model: string
}

/** Records the tokens of an answer. Without counts of the provider they are estimated, as for a call that was cut off. */
export async function recordAnswer(
  sql: Sql,
  run: EngineRun,
  engine: Pick<Engine, 'models'>,
  attempt: Attempt,
  { usage, text }: { usage: TokenUsage | null; text: string },
  { context }: { context: { tokens: number } },
  now: Date,
): Promise<string | null> {
  if (usage) return recordUsage(sql, run, engine, attempt, usage, now)
  await recordInterrupted(sql, run, engine, { ...attempt, context, characters: text.length }, now)
  return null
}

/** Records the tokens of a finished call. Returns its cost; null without a price. */
async function recordUsage(
  sql: Sql,
  run: EngineRun,
  engine: Pick<Engine, 'models'>,
  attempt: Attempt,
  usage: TokenUsage,
  now: Date,
): Promise<string | null> {
  return record(sql, run, engine, attempt, usage, { isEstimate: false, now })
}

/** A call that was cut off reported nothing: its input is known, its output is counted by its characters. */
export async function recordInterrupted(
  sql: Sql,
  run: EngineRun,
  engine: Pick<Engine, 'models'>,
  attempt: Attempt & { context: { tokens: number } | null; characters: number },
  now: Date,
): Promise<void> {
  const usage = {
    input: attempt.context?.tokens ?? 0,
    output: Math.ceil(attempt.characters / CHARACTERS_PER_TOKEN),
    cacheRead: 0,
    cacheWrite: 0,
    reasoning: 0,
  }
  await record(sql, run, engine, attempt, usage, { isEstimate: true, now })
}

async function record(
  sql: Sql,
  run: EngineRun,
  { models }: Pick<Engine, 'models'>,
  { n, attempt, model }: Attempt,
  usage: TokenUsage,
  { isEstimate, now }: { isEstimate: boolean; now: Date },
): Promise<string | null> {
  const pricing = (await models.describe(run.orgId, model))?.pricing ?? null
  const cost = pricing && costOf(pricing, usage)
  const source: LedgerEntry['priceSource'] = !cost ? 'unknown' : isEstimate ? 'estimate' : cost.source
  await insertUsage(sql, run, {
    step: n,
    attempt,
    kind: 'tokens',
    provider: model.slice(0, model.indexOf('/')),
    model,
    quantity: usage,
    unitCost: cost?.unitPrices ?? null,
    cost: cost?.amount ?? null,
    priceSource: source,
    now,
  })
  return cost?.amount ?? null
}

import { z } from 'zod'
import type { guardrails } from '../../../../contract/agents/guardrails.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError, badField } from '../../../errors.ts'
import { addJob, job } from '../../../jobs/job.ts'
import { priceUsage, type TokenUsage } from '../../../language-models/cost.ts'
import type { Models } from '../../../language-models/models.ts'
import type { Pricing } from '../../../language-models/prices.ts'
import { newId } from '../../../security/ids.ts'
import {
  type AmountRefusal,
  budgetsChanged,
  describeBudget,
  releaseAmount,
  reserveAmount,
} from '../../billing/budgets/budgets.ts'
import { compileRule, JUDGMENT_MAX, type Judgment, judgeText } from './active-rules.ts'
import { findGuardrail, requireValid } from './manage.ts'
import { findMatches, type Match } from './matching/match.ts'
import { isModelRule, type ModelRule, screenText, type Verdict } from './matching/screen.ts'

/** Longer than any judgment takes. */
const TRIAL_MS_MAX = 5 * 60_000
const CHARACTERS_PER_TOKEN = 4
/** Instructions, and the fence around the text. */
const FRAME_TOKENS = 200

/** Releases a trial's reservation if its process ended early. */
export const trialAbandoned = job(
  'guardrails.trial-abandoned',
  z.object({ orgId: z.uuid(), trialId: z.uuid() }),
)

/** Like a run: reserves the cost on the caller's budgets before, and enters it in the ledger after. */
export async function judgeTrial(
  models: Pick<Models, 'find' | 'describe'>,
  ctx: Context,
  rule: ModelRule,
  text: string,
): Promise<Verdict> {
  const { orgId } = ctx.caller
  const trialId = newId()
  const pricing = (await models.describe(orgId, rule.model))?.pricing ?? null
  await ctx.transaction((inside) => reserveTrial(inside, trialId, maxCostOf(pricing, rule, text)))
  let judgment: Judgment | null = null
  try {
    judgment = await judgeText(models, orgId, rule, text)
    return judgment.verdict
  } finally {
    await ctx.transaction(async (inside) => {
      if (judgment?.isAnswered) await recordTrial(inside, rule.model, judgment, text, pricing)
      await release(inside.sql, orgId, trialId)
    })
  }
}

export const releaseTrial = (
  { sql }: { sql: Sql },
  { orgId, trialId }: z.output<(typeof trialAbandoned)['payload']>,
): Promise<void> => release(sql, orgId, trialId)

function maxCostOf(pricing: Pricing | null, { instructions }: ModelRule, text: string): string | null {
  const input = Math.min(JUDGMENT_MAX.inputTokens, text.length + instructions.length + FRAME_TOKENS)
  const output = JUDGMENT_MAX.outputTokens
  return pricing && priceUsage(pricing, { input, output, cacheRead: 0, cacheWrite: 0 }).amount
}

async function reserveTrial({ sql, caller, now }: Context, id: string, amount: string | null) {
  const { orgId, userId } = caller
  const spender = { orgId, id: null, projectId: null, agentId: null, createdBy: userId, keyId: keyOf(caller) }
  const reserved = await reserveAmount(sql, spender, { id, amount }, now())
  if (reserved.refusal) throw budgetConflict(reserved.refusal, amount)
  const runAt = new Date(now().getTime() + TRIAL_MS_MAX)
  if (reserved.isReserved) await sql`select ${addJob(sql, trialAbandoned, { orgId, trialId: id }, { runAt })}`
}

async function recordTrial(
  { sql, caller, now }: Context,
  model: string,
  { usage }: Judgment,
  text: string,
  pricing: Pricing | null,
) {
  const input = Math.ceil(text.length / CHARACTERS_PER_TOKEN)
  const quantity = usage ?? { input, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const cost = pricing && priceUsage(pricing, quantity)
  await insertTrial(sql, caller.orgId, {
    ...{ userId: caller.userId, keyId: keyOf(caller), model, quantity, now: now() },
    unitCost: cost?.unitPrices ?? null,
    cost: cost?.amount ?? null,
    priceSource: cost === null ? 'unknown' : usage === null ? 'estimate' : cost.source,
  })
}

/** Runs waiting for the reserved amount try again. */
async function release(sql: Sql, orgId: string, trialId: string): Promise<void> {
  if (await releaseAmount(sql, orgId, trialId)) await sql`select ${addJob(sql, budgetsChanged, { orgId })}`
}

const keyOf = ({ via, credentialId }: Context['caller']) => (via === 'key' ? credentialId : null)

function budgetConflict(refusal: AmountRefusal, amount: string | null): ApiError {
  const reason =
    amount === null
      ? 'cannot count a model without a price: an admin can set one in Settings → Models'
      : 'does not allow the trial: raise it first'
  return new ApiError('CONFLICT', `${describeBudget(refusal)} ${reason}`, {
    details: { reason: 'budget_reached' },
  })
}

const MATCHES_MAX = 1000

export const tryGuardrail =
  (models: Pick<Models, 'find' | 'describe'>) =>
  async (ctx: Context, input: InputOf<typeof guardrails.try>) => {
    const { guardrailId, rule: draft, text } = input
    if (draft) requireValid(draft, 'body.rule')
    const row = guardrailId ? await findGuardrail(ctx, guardrailId) : draft!
    const rule = compileRule({ id: '', name: '', version: 0, everywhere: false, enabled: true, ...row })
    const judge = async (modelRule: ModelRule) => {
      const verdict = await judgeTrial(models, ctx, modelRule, text)
      if (verdict === 'unavailable')
        throw badField(
          guardrailId ? 'body.guardrailId' : 'body.rule.config.model',
          'names a model that does not respond',
        )
      return verdict
    }
    const { value, blockedBy, matched } = await screenText([rule], text, judge)
    return {
      matched: matched.length > 0,
      action: rule.action,
      text: blockedBy ? null : value,
      matches: isModelRule(rule) ? [] : firstMatches(findMatches(rule.find, text)),
    }
  }

function firstMatches(matches: Iterable<Match>): Match[] {
  const found: Match[] = []
  for (const match of matches) {
    if (found.push(match) === MATCHES_MAX) break
  }
  return found
}

interface TrialEntry {
  userId: string
  keyId: string | null
  model: string
  quantity: TokenUsage
  unitCost: object | null
  cost: string | null
  priceSource: 'organization' | 'operator' | 'provider' | 'table' | 'estimate' | 'unknown'
  now: Date
}

/** A trial's usage belongs to no run and no project. */
const insertTrial = (sql: Sql, orgId: string, entry: TrialEntry) => sql`
  insert into usage (org_id, id, step, attempt, kind, user_id, key_id, provider, model, quantity, unit_cost, cost,
    price_source, at)
  values (${orgId}, ${newId()}, 0, 1, 'guardrail', ${entry.userId}, ${entry.keyId},
    ${entry.model.slice(0, entry.model.indexOf('/'))}, ${entry.model}, ${sql.json(entry.quantity as never)},
    ${sql.json(entry.unitCost as never)}, ${entry.cost}, ${entry.priceSource}, ${entry.now})`

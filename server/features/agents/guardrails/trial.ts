import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { addJob, job } from '../../../jobs/job.ts'
import { costOf } from '../../../language-models/cost.ts'
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
import { JUDGMENT_MAX, type Judgment, judgeText } from './judge.ts'
import { insertTrial } from './ledger-queries.ts'
import type { ModelRule, Verdict } from './matching/screen.ts'

/** Longer than any judgment takes. */
const TRIAL_MS_MAX = 5 * 60_000
/** Four characters are about one token. */
const CHARACTERS_PER_TOKEN = 4
/** The instructions that every judgment has, and the fence around its text. */
const FRAME_TOKENS = 200

/** Releases the reservation of a trial whose process ended early. */
export const trialAbandoned = job(
  'guardrails.trial-abandoned',
  z.object({ orgId: z.uuid(), trialId: z.uuid() }),
)

/** Calls the model of a rule as a run does: the cost is reserved on the budgets of the caller before, and entered in the ledger after. */
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
  return pricing && costOf(pricing, { input, output, cacheRead: 0, cacheWrite: 0 }).amount
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
  const cost = pricing && costOf(pricing, quantity)
  await insertTrial(sql, caller.orgId, {
    ...{ userId: caller.userId, keyId: keyOf(caller), model, quantity, now: now() },
    unitCost: cost?.unitPrices ?? null,
    cost: cost?.amount ?? null,
    priceSource: cost === null ? 'unknown' : usage === null ? 'estimate' : cost.source,
  })
}

/** Runs that wait for the reserved amount try again. */
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

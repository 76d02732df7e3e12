import type { Sql } from '../../../../database/database.ts'
import type { Models } from '../../../../language-models/models.ts'
import type { AdditionalCall } from '../../../billing/budgets/budgets.ts'
import {
  type ActiveRules,
  isModelRule,
  JUDGMENT_MAX,
  type Judge,
  judgeText,
  loadRules,
} from '../../guardrails/guardrails.ts'
import type { EngineRun } from '../engine/run-row.ts'
import type { StepNumber } from '../engine/step-queries.ts'
import { recordJudgment } from '../usage/record-usage.ts'

/** The current guardrails of a run, and how to call the model of a rule. */
export interface ScreeningRules {
  rules: ActiveRules
  judge: Judge
}

/** For an organization without guardrails. */
export const NO_SCREENING: ScreeningRules = {
  rules: { input: [], tool: [], output: [] },
  judge: async () => 'no match',
}

/**
 * Rules are read for each step, so that a change applies to the next step. Each judgment of a model is recorded in the
 * ledger.
 */
export async function loadScreening(
  sql: Sql,
  run: EngineRun,
  agent: { guardrails: readonly string[] },
  models: Pick<Models, 'find' | 'describe'>,
  { step, now }: { step: StepNumber; now: () => Date },
): Promise<ScreeningRules> {
  const judge: Judge = async (rule, text) => {
    const { verdict, isAnswered, usage } = await judgeText(models, run.orgId, rule, text)
    if (isAnswered) {
      const pricing = (await models.describe(run.orgId, rule.model))?.pricing ?? null
      await recordJudgment(sql, run, { ...step, model: rule.model }, { usage, text }, pricing, now())
    }
    return verdict
  }
  return { rules: await loadRules(sql, run.orgId, agent.guardrails), judge }
}

/** The model calls of rules that one model call can cause, at their maximum cost. An unknown model costs nothing. */
export async function judgmentsOf(
  { rules }: ScreeningRules,
  orgId: string,
  models: Pick<Models, 'describe'>,
): Promise<AdditionalCall[]> {
  const ruleModels = Object.values(rules).flatMap((list) =>
    list.filter(isModelRule).map(({ model }) => model),
  )
  const described = await Promise.all(ruleModels.map((model) => models.describe(orgId, model)))
  return described.flatMap((info) =>
    info ? [{ model: info.id, pricing: info.pricing, ...JUDGMENT_MAX }] : [],
  )
}

import type { GuardrailStage } from '../../../../../contract/agents/guardrail-options.ts'
import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Models } from '../../../../language-models/models.ts'
import { newId } from '../../../../security/ids.ts'
import type { AdditionalCall } from '../../../billing/budgets/budgets.ts'
import {
  type ActiveRules,
  isModelRule,
  JUDGMENT_MAX,
  type Judge,
  judgeText,
  loadRules,
  type RuleMatches,
} from '../../guardrails/guardrails.ts'
import { append } from '../state/lease.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { StepNumber } from '../state/step-queries.ts'
import type { RunMetrics } from '../usage/metrics.ts'
import { recordJudgment } from '../usage/record-usage.ts'

export interface ScreeningRules {
  rules: ActiveRules
  judge: Judge
}

export const NO_SCREENING: ScreeningRules = {
  rules: { input: [], tool: [], output: [] },
  judge: async () => 'no match',
}

/** Read for each step, so that a change applies to the next. Records judgments in the ledger. */
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

/** At maximum cost. An unknown model costs nothing. */
export async function listJudgments(
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

interface MatchLocation {
  step: number
  stage: GuardrailStage
  callId?: string
}

/** Never stores the matched text. */
export async function recordMatches(
  engine: { metrics: RunMetrics },
  sql: Sql,
  run: EngineRun,
  { step, stage, callId }: MatchLocation,
  matched: readonly RuleMatches[],
  now: Date,
): Promise<void> {
  if (matched.length === 0) return
  const rows = matched.map(({ rule, labels }) => ({
    id: newId(),
    guardrailId: rule.id,
    name: rule.name,
    action: rule.action,
    labels,
  }))
  const events = rows.map(
    ({ id: _id, ...row }): RunEvent => ({
      type: 'guardrail.matched',
      data: { n: step, stage, callId: callId ?? null, ...row },
    }),
  )
  // A worker without the lease stores nothing.
  await append(sql, run, events, now)
  await sql`
    with matches as (
      insert into guardrail_matches (org_id, run_id, id, step, call_id, guardrail_id, name, stage, action, labels, at)
      select ${run.orgId}, ${run.id}, m.id, ${step}, ${callId ?? null}, m."guardrailId", m.name, ${stage}, m.action, m.labels, ${now}
      from jsonb_to_recordset(${sql.json(rows as never)})
        as m (id uuid, "guardrailId" uuid, name text, action text, labels jsonb)
    )
    update runs set guardrail_matches = guardrail_matches + ${rows.length}
    where org_id = ${run.orgId} and id = ${run.id}`
  for (const { action } of rows) engine.metrics.guardrailMatched({ stage, action })
}

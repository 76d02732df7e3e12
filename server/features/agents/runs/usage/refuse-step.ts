import type { JobContext } from '../../../../context.ts'
import { periodEnd, type Refusal, reportRefused } from '../../../billing/budgets/budgets.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineRun } from '../engine/run-row.ts'
import { type StepEnd, settle, wait } from '../engine/settle.ts'

/** A run that waits for calls of other runs also tries again after this time. */
const RETRY_MS = 10_000

const SCOPES = {
  org: 'the organization',
  project: 'the project',
  agent: 'the agent',
  user: 'the person who started it',
  key: 'the API key that started it',
}

/** Makes a run whose next model call exceeds a budget wait or fail. */
export async function refuseStep(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  { reason, limit, needed, model = run.model }: Refusal,
): Promise<StepEnd> {
  const now = ctx.now()
  const { scope, scopeId, period, amount } = limit
  if (reason === 'price') {
    const detail = `The price of ${model} is unknown, so the budget of ${SCOPES[scope]} can't limit it. An admin can set its price, or count it as free, in Settings → Models`
    return settle(engine, ctx, run, { status: 'failed', code: 'price_unknown', detail })
  }
  const [spent, need] = [limit.spent ?? '0.000000', needed ?? '0.000000']
  const budget = { reason, scope, id: scopeId, period, amount, spent, needed: need }
  if (reason === 'reserved') return wait(ctx, run, 'budget', new Date(now.getTime() + RETRY_MS), { budget })
  await reportRefused(ctx.sql, run.orgId, limit)
  if (limit.onReach === 'pause') return wait(ctx, run, 'budget', periodEnd(period, now), { budget })
  const per = period === 'total' ? 'in total' : `per ${period}`
  const detail = `the budget of ${SCOPES[scope]} ${per}: $${spent} of $${amount} are spent, and the next call can cost $${need}`
  return settle(engine, ctx, run, { status: 'failed', code: 'budget_reached', detail })
}

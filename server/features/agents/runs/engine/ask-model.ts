import type { JobContext } from '../../../../context.ts'
import { costOf } from '../../../../language-models/cost.ts'
import { reasoningOptions } from '../../../../language-models/reasoning.ts'
import { setTraceAttributes } from '../../../../observability/tracing.ts'
import { refusalText, refusingRule, withDefaults } from '../../../organizations/settings/settings.ts'
import { HANDED_OVER, OUT_OF_TIME } from '../answers/call-model.ts'
import { CANCELED } from '../answers/delta-writer.ts'
import { judgmentsOf } from '../screening/screening.ts'
import { type Answer, refusalOf } from '../state/answer.ts'
import { append } from '../state/lease.ts'
import { mayPay } from '../state/run-caller.ts'
import type { EngineRun } from '../state/run-row.ts'
import { handOverAttemptCte, type StepNumber } from '../state/step-queries.ts'
import { providerLabel } from '../usage/metrics.ts'
import { callScreened, endBlocked } from './call-screened.ts'
import type { Engine } from './engine.ts'
import { finishStep } from './finish-step.ts'
import { openAttempt } from './open-attempt.ts'
import { handleFailure, tryNextModel } from './provider-failure.ts'
import { makeDue, type StepEnd, settle, timeLimit } from './settle.ts'
import type { CachedRun, StepState } from './step-state.ts'
import { callForSummary, finishSummary } from './summarize.ts'

/** For a model whose context window is not known. */
const WINDOW_DEFAULT = 128_000

/** One model call: stores its events while they arrive, and its results in one transaction. */
export async function askModel(
  engine: Engine,
  ctx: JobContext,
  cached: CachedRun,
  step: StepNumber,
  handOver: AbortSignal,
): Promise<StepEnd | StepState> {
  const { state } = cached
  const policy = withDefaults(state.policy)
  const canPay = state.hasMandate && mayPay(state.rights!)
  const agent = { ...(await engine.agentOf(ctx.sql, state.run)), orgApprovals: policy.approvals, canPay }
  setTraceAttributes({ 'gen_ai.agent.name': agent.name })
  const rule = refusingRule(policy, state.rights!.role, state.run.model)
  const tryNext = (reason: string, code?: 'model_not_allowed') =>
    tryNextModel(engine, ctx, state.run, agent, reason, code)
  if (rule) return tryNext(refusalText(rule, state.run.model), 'model_not_allowed')
  const foundModel = cached.foundModel ?? (await engine.models.find(state.run.orgId, state.run.model))
  if (foundModel.kind === 'unknown') return tryNext(foundModel.reason)
  const { provider, model } = foundModel
  const info = await foundModel.describe()
  const window = info?.contextWindow ?? WINDOW_DEFAULT
  const startedAt = ctx.now()
  const pricing = info?.pricing ?? null
  const screening = await engine.screeningOf(ctx, state, agent, step)
  const additional = state.isLimited ? await judgmentsOf(screening, state.run.orgId, engine.models) : []
  const modelLimits = { window, pricing, maxOutput: info?.maxOutput ?? null, additional }
  const opened = await openAttempt(engine, ctx, cached, agent, step, modelLimits)
  if ('end' in opened) return opened.end
  const { run, prompt, exceededCount, isReserved, ...limits } = opened
  const { toSummarize, toMerge, context, system, messages, tools } = prompt
  const isSummary = toSummarize.length > 0
  const reasoning = reasoningOptions(provider.kind, model.modelId, agent.reasoning, messages)
  const call = { model, system, messages, tools, ...reasoning, ...limits }
  const options = { handOver, screening }
  const tokensMax = window / 2 / 2 ** exceededCount
  const answer = isSummary
    ? await callForSummary(ctx, run, step, model, { toSummarize, toMerge }, { tokensMax, ...limits }, options)
    : await callScreened(engine, ctx, run, step, call, options)
  const end = await endStopped(engine, ctx, run, answer)
  if (end) return end
  if (answer.blockedBy) return endBlocked(engine, ctx, run, step, answer)
  const failure = answer.failure ?? refusalOf(answer)
  const { usage, firstTokenAt } = answer
  const cost = usage && pricing ? costOf(pricing, usage).amount : null
  const result = failure ? 'failed' : 'done'
  engine.metrics.attemptEnded({
    provider: providerLabel(foundModel),
    state: result,
    usage,
    cost,
    startedAt,
    firstTokenAt,
  })
  if (failure) {
    const kind = isSummary ? 'summary' : 'answer'
    return handleFailure(engine, ctx, run, agent, { ...step, kind, failure, answer, context, window })
  }
  const finished = { step, answer, prompt, pricing, isReserved }
  return isSummary ? finishSummary(ctx, run, finished) : finishStep(engine, ctx, run, agent, finished)
}

/** Ends the run, or releases it to another process, if this process stopped the call; else returns null. */
async function endStopped(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  { stopReason, failure }: Answer,
): Promise<StepEnd | null> {
  if (stopReason === CANCELED) return settle(engine, ctx, run, { status: 'canceled' })
  if (stopReason === OUT_OF_TIME) return settle(engine, ctx, run, timeLimit(run))
  // A call that completed before it was aborted is not repeated.
  if (stopReason === HANDED_OVER) return failure && handOverAttempt(ctx, run)
  if (stopReason) throw stopReason
  return null
}

/** Releases the attempt, so that another process repeats it immediately. */
async function handOverAttempt(ctx: JobContext, run: EngineRun): Promise<StepEnd> {
  const now = ctx.now()
  await append(ctx.sql, run, [], now, { change: handOverAttemptCte(ctx.sql) })
  await makeDue(ctx.sql, run, now)
  return 'released'
}

import type { JobContext } from '../../../../context.ts'
import { priceUsage } from '../../../../language-models/cost.ts'
import type { ModelInfo } from '../../../../language-models/describe-model.ts'
import type { FoundModel } from '../../../../language-models/models.ts'
import type { Pricing } from '../../../../language-models/prices.ts'
import { reasoningOptions } from '../../../../language-models/reasoning.ts'
import type { ModelCall } from '../../../../language-models/stream-call.ts'
import { outputFormat } from '../../../../language-models/structured-output/output-format.ts'
import { setTraceAttributes } from '../../../../observability/tracing.ts'
import { refusalText, refusingRule, withDefaults } from '../../../organizations/settings/settings.ts'
import { type CallLimits, HANDED_OVER, OUT_OF_TIME } from '../answers/call-model.ts'
import { CANCELED } from '../answers/delta-writer.ts'
import { readDocuments } from '../context/documents.ts'
import { measureImages } from '../context/image-sizes.ts'
import type { ImageTarget } from '../context/images.ts'
import { findDescriber } from '../descriptions/find-describer.ts'
import { listJudgments } from '../screening/screening.ts'
import { type Answer, findRefusal } from '../state/answer.ts'
import { append } from '../state/lease.ts'
import type { RunAgent } from '../state/prompt.ts'
import { mayPay } from '../state/run-caller.ts'
import type { EngineRun } from '../state/run-row.ts'
import { handOverAttemptCte, type StepNumber } from '../state/step-queries.ts'
import { providerLabel } from '../usage/metrics.ts'
import { callScreened, endBlocked } from './call-screened.ts'
import type { Engine } from './engine.ts'
import { finishStep } from './finish-step.ts'
import { type OpenAttempt, openAttempt } from './open-attempt.ts'
import { handleFailure, tryNextModel } from './provider-failure.ts'
import { makeDue, type StepEnd, settle, timeLimit } from './settle.ts'
import type { CachedRun, StepState } from './step-state.ts'
import { callForSummary, finishSummary } from './summarize.ts'

/** If the model's window is unknown. */
const WINDOW_DEFAULT = 128_000

/** Stores events while they arrive, and results in one transaction. */
export async function askModel(
  engine: Engine,
  ctx: JobContext<'hooks' | 'objects'>,
  cached: CachedRun,
  step: StepNumber,
  handOver: AbortSignal,
): Promise<StepEnd | StepState> {
  const { state } = cached
  const agent = await agentOf(engine, ctx, state)
  const chosen = await chooseModel(engine, cached)
  if ('refusal' in chosen) return tryNextModel(engine, ctx, state.run, agent, chosen.refusal, chosen.code)
  const startedAt = ctx.now()
  const screening = await engine.screeningOf(ctx, state, agent, step)
  const additional = state.isLimited ? await listJudgments(screening, state.run.orgId, engine.models) : []
  const { window, pricing, maxOutput, images } = chosen
  const limits = { window, pricing, maxOutput, images, additional }
  const unread = { read: cached.read, hasQueued: state.hasQueued }
  await readDocuments(ctx, state.run, unread)
  if (images.isAccepted) await measureImages(ctx, state.run, unread)
  const opened = await openAttempt(engine, ctx, cached, agent, step, limits)
  if ('end' in opened) return opened.end
  const attempt: Attempt = { ...opened, agent, step, chosen, startedAt }
  const answer = await callModel(engine, ctx, attempt, { handOver, screening })
  return (await endStopped(engine, ctx, opened.run, answer)) ?? endAttempt(engine, ctx, attempt, answer)
}

interface Attempt extends OpenAttempt {
  agent: RunAgent
  step: StepNumber
  chosen: ChosenModel
  startedAt: Date
}

async function agentOf(
  engine: Engine,
  ctx: JobContext<'hooks' | 'objects'>,
  state: StepState,
): Promise<RunAgent> {
  const { approvals: orgApprovals } = withDefaults(state.policy)
  const canPay = state.hasMandate && mayPay(state.rights!)
  const agent = { ...(await engine.agentOf(ctx, state.run)), orgApprovals, canPay }
  setTraceAttributes({ 'gen_ai.agent.name': agent.name })
  return agent
}

interface ChosenModel {
  found: Extract<FoundModel, { kind: 'model' }>
  window: number
  pricing: Pricing | null
  maxOutput: number | null
  images: ImageTarget
}

/** Or why the run can't call it. */
async function chooseModel(
  engine: Engine,
  { state, foundModel }: CachedRun,
): Promise<ChosenModel | { refusal: string; code?: 'model_not_allowed' }> {
  const { orgId, model } = state.run
  const rule = refusingRule(withDefaults(state.policy), state.rights!.role, model)
  if (rule) return { refusal: refusalText(rule, model), code: 'model_not_allowed' }
  const found = foundModel ?? (await engine.models.find(orgId, model))
  if (found.kind === 'unknown') return { refusal: found.reason }
  const info = await found.describe()
  return {
    found,
    window: info?.contextWindow ?? WINDOW_DEFAULT,
    pricing: info?.pricing ?? null,
    maxOutput: info?.maxOutput ?? null,
    images: await imageTarget(engine, state, found, info),
  }
}

async function imageTarget(
  { models }: Engine,
  { run, policy, rights }: StepState,
  { provider }: ChosenModel['found'],
  info: ModelInfo | null,
): Promise<ImageTarget> {
  const isAccepted = info?.modalities.input.includes('image') ?? false
  const describer = isAccepted
    ? null
    : await findDescriber(models, run.orgId, { settings: withDefaults(policy), role: rights!.role })
  return { model: run.model, kind: provider.kind, isAccepted, isDescribed: describer !== null, describer }
}

const isSummary = ({ prompt }: OpenAttempt) => prompt.toSummarize.length > 0

/** A summary if the conversation is too long, else the next answer. */
function callModel(
  engine: Engine,
  ctx: JobContext<'objects'>,
  attempt: Attempt,
  options: CallLimits,
): Promise<Answer> {
  const { run, step, chosen, prompt, exceededCount, maxOutputTokens } = attempt
  const { model, provider } = chosen.found
  const limits = maxOutputTokens === undefined ? {} : { maxOutputTokens }
  const { toSummarize, toMerge, system, messages, tools } = prompt
  if (isSummary(attempt)) {
    const tokensMax = chosen.window / 2 / 2 ** exceededCount
    return callForSummary(ctx, run, step, model, { toSummarize, toMerge }, { tokensMax, ...limits }, options)
  }
  const reasoning = reasoningOptions(provider.kind, model.modelId, attempt.agent.reasoning, messages)
  const cache = { kind: provider.kind, key: run.sessionId }
  const output = outputOf(run, provider)
  const call = { model, system, messages, tools, cache, ...output, ...reasoning, ...limits }
  return callScreened(engine, ctx, run, step, { ...call, images: chosen.images }, options)
}

const outputOf = (
  { outputSchema, outputRepairs }: EngineRun,
  { kind }: ChosenModel['found']['provider'],
): Pick<ModelCall, 'output'> =>
  outputSchema
    ? { output: { kind, schema: outputFormat(outputSchema).schema, isCorrection: outputRepairs > 0 } }
    : {}

async function endAttempt(
  engine: Engine,
  ctx: JobContext,
  attempt: Attempt,
  answer: Answer,
): Promise<StepEnd | StepState> {
  const { run, agent, step, chosen, prompt, isReserved } = attempt
  if (answer.blockedBy) return endBlocked(engine, ctx, run, step, answer)
  const failure = answer.failure ?? findRefusal(answer)
  countAttempt(engine, attempt, answer, failure ? 'failed' : 'done')
  if (failure) {
    const kind = isSummary(attempt) ? 'summary' : 'answer'
    const { window, images } = chosen
    return handleFailure(engine, ctx, run, agent, {
      ...step,
      kind,
      failure,
      answer,
      context: prompt.context,
      window,
      images,
    })
  }
  const finished = { step, answer, prompt, pricing: chosen.pricing, isReserved }
  return isSummary(attempt)
    ? finishSummary(ctx, run, finished)
    : finishStep(engine, ctx, run, agent, finished)
}

function countAttempt(
  engine: Engine,
  { chosen: { found, pricing }, startedAt }: Attempt,
  { usage, firstTokenAt }: Answer,
  state: 'failed' | 'done',
): void {
  const cost = usage && pricing ? priceUsage(pricing, usage).amount : null
  engine.metrics.attemptEnded({
    provider: providerLabel(found),
    state,
    usage,
    cost,
    startedAt,
    firstTokenAt,
  })
}

/** Returns null if this process didn't stop the call. */
async function endStopped(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  { stopReason, failure }: Answer,
): Promise<StepEnd | null> {
  if (stopReason === CANCELED) return settle(engine, ctx, run, { status: 'canceled' })
  if (stopReason === OUT_OF_TIME) return settle(engine, ctx, run, timeLimit(run))
  // A call that completed before the abort isn't repeated.
  if (stopReason === HANDED_OVER) return failure && handOverAttempt(ctx, run)
  if (stopReason) throw stopReason
  return null
}

async function handOverAttempt(ctx: JobContext, run: EngineRun): Promise<StepEnd> {
  const now = ctx.now()
  await append(ctx.sql, run, [], now, { change: handOverAttemptCte(ctx.sql) })
  await makeDue(ctx.sql, run, now)
  return 'released'
}

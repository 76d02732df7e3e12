import type { JobContext } from '../../../context.ts'
import { costOf } from '../../../models/cost.ts'
import { foldQueued, lockSession } from '../../sessions/sessions.ts'
import { type Answer, refusalOf } from '../answers/answer.ts'
import { callModel, OUT_OF_TIME } from '../answers/call-model.ts'
import { CANCELED } from '../answers/delta-writer.ts'
import { storeResults } from '../calls/store-results.ts'
import { callForSummary, finishSummary } from '../context/summarize.ts'
import { providerLabel } from '../usage/metrics.ts'
import { endCutOff, messageEvent } from './attempts.ts'
import type { Engine, RunAgent, Window } from './engine.ts'
import { finishStep } from './finish-step.ts'
import { append } from './lease.ts'
import { handleFailure, tryNextModel } from './provider-failure.ts'
import type { EngineRun } from './run-row.ts'
import { settle, timeLimit } from './settle.ts'
import { countExceeded, insertAttempt, latestStep, type StepNumber } from './step-queries.ts'
import { lowerTrust, lowestOf } from './trust.ts'

/** For a model whose context window is not known. */
const WINDOW_DEFAULT = 128_000

/** One model call: stores what arrives while it arrives, and everything that follows from it in one transaction. */
export async function askModel(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  step: StepNumber,
): Promise<void> {
  const agent = await engine.agentOf(ctx.sql, run)
  const found = await engine.models.find(run.orgId, run.model)
  if (found.kind === 'unknown') return tryNextModel(engine, ctx, run, agent, found.reason)
  const info = await engine.models.describe(run.orgId, run.model)
  const window = info?.contextWindow ?? WINDOW_DEFAULT
  const startedAt = ctx.now()
  const { prompt, exceeded } = await begin(engine, ctx, run, agent, step, window)
  const { fold, context, system, messages, tools } = prompt
  const isSummary = fold.length > 0
  const call = { model: found.model, system, messages, tools, ...reasoningOptions(agent) }
  const answer = isSummary
    ? await callForSummary(ctx, run, step, found.model, fold, window / 2 / 2 ** exceeded)
    : await callModel(ctx, run, step, call, { isShown: true })
  const failure = await endOf(engine, ctx, run, answer)
  if (failure === 'ended') return
  const { usage, firstTokenAt } = answer
  const cost = usage && info?.pricing ? costOf(info.pricing, usage).amount : null
  const state = failure ? 'failed' : 'done'
  engine.metrics.attemptEnded({ provider: providerLabel(found), state, usage, cost, startedAt, firstTokenAt })
  if (failure) {
    const kind = isSummary ? 'summary' : 'answer'
    return handleFailure(engine, ctx, run, agent, { ...step, kind, failure, answer, context, window })
  }
  if (isSummary) return finishSummary(engine, ctx, run, step, fold, context, answer)
  return finishStep(engine, ctx, run, agent, step, answer, prompt)
}

/** Ends the run if this process had to stop the call; otherwise returns why the call failed. */
async function endOf(engine: Engine, ctx: JobContext, run: EngineRun, answer: Answer) {
  if (answer.stopped === CANCELED) await settle(engine, ctx, run, { status: 'canceled' })
  else if (answer.stopped === OUT_OF_TIME) await settle(engine, ctx, run, timeLimit(run))
  else if (answer.stopped) throw answer.stopped
  else return answer.failure ?? refusalOf(answer)
  return 'ended' as const
}

/**
 * Opens the attempt: earlier ones that were cut off end, and messages that were sent since join the conversation. If it is
 * too long for the window of the model, the attempt is a summary.
 */
async function begin(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  agent: RunAgent,
  step: StepNumber,
  tokens: number,
) {
  return ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    await lockSession(sql, run.orgId, run.sessionId)
    await append(sql, run, [], now)
    const last = await latestStep(sql, run)
    await endCutOff(sql, run, engine, step.n, now)
    if (step.n > 1) await storeResults(sql, run, step.n - 1, now)
    const folded = await foldQueued(sql, run.orgId, run.sessionId, run.id)
    await lowerTrust(sql, run, lowestOf(folded.map(({ trust }) => trust)))
    const isExceeded = last?.state === 'failed' && last.errorCode === 'context_too_long'
    const window: Window = { tokens, isExceeded }
    const prompt = await engine.promptOf(sql, run, agent, window)
    const kind = prompt.fold.length > 0 ? 'summary' : 'answer'
    const started = { type: kind === 'summary' ? 'summary.started' : 'step.started' } as const
    await append(
      sql,
      run,
      [{ ...started, data: { ...step, model: run.model } }, ...folded.map(messageEvent)],
      now,
    )
    await insertAttempt(sql, run, { ...step, kind, model: run.model, context: prompt.context, now })
    const exceeded = kind === 'summary' ? await countExceeded(sql, run, step.n) : 0
    return { prompt, exceeded }
  })
}

const reasoningOptions = ({ reasoning }: RunAgent) =>
  reasoning === 'off' ? {} : { providerOptions: { openai: { reasoningEffort: reasoning } } }

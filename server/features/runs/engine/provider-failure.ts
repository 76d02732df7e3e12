import type { JobContext } from '../../../context.ts'
import type { ModelFailure } from '../../../models/failures.ts'
import { recordInterrupted } from '../usage/record-usage.ts'
import type { Answer } from './answer.ts'
import type { Engine, RunAgent } from './engine.ts'
import type { RunEndCode } from './errors.ts'
import { append } from './lease.ts'
import type { EngineRun } from './run-row.ts'
import { enqueueStep, settle, wait } from './settle.ts'
import { endAttempt, type StepNumber } from './step-queries.ts'

const RETRIES_MAX = 5
const RETRY_WINDOW_MS = 15 * 60_000
const BACKOFF_MS = [1000, 4000, 15_000, 60_000, 180_000]

/** Tries again later while that may help, then the next model of the agent; a run that waits holds no worker. */
export async function handleFailure(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  agent: RunAgent,
  step: StepNumber,
  answer: Answer,
): Promise<void> {
  const failure = answer.failure!
  await storeFailure(engine, ctx, run, step, answer)
  const retryAt = failure.isRetryable ? retryTime(run, failure, ctx.now()) : null
  if (retryAt) {
    await ctx.sql`
      update runs set provider_failures = provider_failures + 1, retry_since = coalesce(retry_since, ${ctx.now()})
      where org_id = ${run.orgId} and id = ${run.id} and lease = ${run.lease}`
    return wait(ctx, run, 'retry', retryAt)
  }
  const fallback = isOtherModelWorthTrying(failure) ? nextModel(run.model, agent) : undefined
  if (!fallback) return settle(ctx, run, { status: 'failed', code: codeOf(failure), detail: failure.message })
  await ctx.transaction(async (inside) => {
    await append(inside.sql, run, [], ctx.now())
    await inside.sql`
      update runs set model = ${fallback}, provider_failures = 0, retry_since = null
      where org_id = ${run.orgId} and id = ${run.id}`
    await enqueueStep(inside.sql, run, ctx.now())
  })
}

/** An attempt that failed before its first token cost nothing; one that broke off is counted like one that was cut off. */
const storeFailure = (engine: Engine, ctx: JobContext, run: EngineRun, step: StepNumber, answer: Answer) =>
  ctx.transaction(async (inside) => {
    const now = ctx.now()
    const { kind, message } = answer.failure!
    const data = { ...step, state: 'failed' as const, finish: null, usage: null, cost: null, errorCode: kind }
    await append(inside.sql, run, [{ type: 'step.finished', data }], now)
    await endAttempt(inside.sql, run, {
      ...step,
      state: 'failed',
      content: null,
      finish: null,
      usage: null,
      cost: null,
      errorCode: kind,
      error: message,
      firstTokenAt: answer.firstTokenAt,
      now,
    })
    if (answer.firstTokenAt === null) return
    const cutOff = { ...step, model: run.model, context: null, characters: answer.text.length }
    await recordInterrupted(inside.sql, run, engine, cutOff, now)
  })

function retryTime(run: EngineRun, { retryAfterMs }: ModelFailure, now: Date): Date | null {
  const since = run.retrySince ? new Date(run.retrySince) : now
  const delay = retryAfterMs ?? BACKOFF_MS[run.providerFailures] ?? 0
  const at = new Date(now.getTime() + delay)
  const isOver = run.providerFailures >= RETRIES_MAX || at.getTime() - since.getTime() > RETRY_WINDOW_MS
  return isOver || at > new Date(run.deadlineAt) ? null : at
}

const isOtherModelWorthTrying = ({ kind }: ModelFailure) => kind !== 'canceled'

/** Each fallback model once, in order. */
function nextModel(model: string, agent: RunAgent): string | undefined {
  const models = [agent.model, ...agent.fallbackModels]
  return models[models.indexOf(model) + 1]
}

const CODES: Partial<Record<ModelFailure['kind'], RunEndCode>> = {
  rejected_key: 'provider_rejected_key',
  no_credit: 'provider_rejected_key',
  unknown_model: 'unknown_model',
  invalid_request: 'provider_rejected_request',
  refused: 'refused',
  context_too_long: 'context_too_long',
}
const codeOf = ({ kind }: ModelFailure): RunEndCode => CODES[kind] ?? 'provider_unavailable'

import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import type { ModelFailure } from '../../../models/failures.ts'
import { lockSession } from '../../sessions/sessions.ts'
import { recordInterrupted } from '../usage/record-usage.ts'
import type { Answer } from './answer.ts'
import { keepText } from './attempts.ts'
import type { Engine, Prompt, RunAgent } from './engine.ts'
import type { RunEndCode } from './errors.ts'
import { append } from './lease.ts'
import type { EngineRun } from './run-row.ts'
import { enqueueStep, settle, wait } from './settle.ts'
import { endAttempt, listTriedModels, type StepNumber } from './step-queries.ts'

const RETRIES_MAX = 5
const RETRY_WINDOW_MS = 15 * 60_000
const BACKOFF_MS = [1000, 4000, 15_000, 60_000, 180_000]

export interface FailedAttempt extends StepNumber {
  failure: ModelFailure
  answer: Answer
  prompt: Pick<Prompt, 'context'>
}

/**
 * Tries again later while that may help, then the next model of the agent; a run that waits holds no worker. The end of
 * the attempt and what follows from it commit together, so that a crash repeats neither.
 */
export const handleFailure = (
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  agent: RunAgent,
  attempt: FailedAttempt,
) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const now = ctx.now()
    const { failure, answer } = attempt
    await lockSession(sql, run.orgId, run.sessionId)
    await storeFailure(sql, run, engine, attempt, now)
    const retryAt = failure.isRetryable ? retryTime(run, failure, now) : null
    if (retryAt) {
      await sql`
        update runs set provider_failures = provider_failures + 1, retry_since = coalesce(retry_since, ${now})
        where org_id = ${run.orgId} and id = ${run.id}`
      return wait(inside, run, 'retry', retryAt)
    }
    const fallback = await nextModel(sql, run, agent)
    if (fallback) return changeModel(sql, run, fallback, now)
    await append(sql, run, await keepText(sql, run, attempt, answer.text, now), now)
    return settle(engine, inside, run, { status: 'failed', code: codeOf(failure), detail: failure.message })
  })

/** The server does not offer the model of the run. */
export const tryNextModel = (
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  agent: RunAgent,
  reason: string,
) =>
  ctx.transaction(async (inside) => {
    await lockSession(inside.sql, run.orgId, run.sessionId)
    await append(inside.sql, run, [], ctx.now())
    const fallback = await nextModel(inside.sql, run, agent)
    if (fallback) return changeModel(inside.sql, run, fallback, ctx.now())
    return settle(engine, inside, run, { status: 'failed', code: 'unknown_model', detail: reason })
  })

/** An attempt that failed before its first token cost nothing; one that broke off is counted like one that was cut off. */
async function storeFailure(
  sql: Sql,
  run: EngineRun,
  engine: Engine,
  { n, attempt, failure, answer, prompt }: FailedAttempt,
  now: Date,
): Promise<void> {
  const { kind, message } = failure
  const end = { n, attempt, state: 'failed' as const, finish: null, usage: null, cost: null, errorCode: kind }
  await append(sql, run, [{ type: 'step.finished', data: end }], now)
  await endAttempt(sql, run, {
    ...end,
    content: null,
    error: message,
    firstTokenAt: answer.firstTokenAt,
    now,
  })
  if (answer.firstTokenAt === null) return
  const { context } = prompt
  const cutOff = { n, attempt, model: run.model, context, characters: answer.text.length }
  await recordInterrupted(sql, run, engine, cutOff, now)
}

async function changeModel(sql: Sql, run: EngineRun, model: string, now: Date): Promise<void> {
  await sql`
    update runs set model = ${model}, provider_failures = 0, retry_since = null
    where org_id = ${run.orgId} and id = ${run.id}`
  await enqueueStep(sql, run, now)
}

function retryTime(run: EngineRun, { retryAfterMs }: ModelFailure, now: Date): Date | null {
  const since = run.retrySince ? new Date(run.retrySince) : now
  const delay = retryAfterMs ?? BACKOFF_MS[run.providerFailures] ?? 0
  const at = new Date(now.getTime() + delay)
  const isOver = run.providerFailures >= RETRIES_MAX || at.getTime() - since.getTime() > RETRY_WINDOW_MS
  return isOver || at > new Date(run.deadlineAt) ? null : at
}

/** Each fallback model once, in order. */
async function nextModel(sql: Sql, run: EngineRun, agent: RunAgent): Promise<string | undefined> {
  const tried = await listTriedModels(sql, run)
  const current = agent.fallbackModels.indexOf(run.model)
  return agent.fallbackModels.slice(current + 1).find((model) => !tried.includes(model))
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

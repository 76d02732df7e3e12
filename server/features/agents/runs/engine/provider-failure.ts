import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { ModelFailure } from '../../../../language-models/failures.ts'
import { lockAncestors } from '../children/tree-queries.ts'
import type { Answer } from '../state/answer.ts'
import type { RunEndCode } from '../state/errors.ts'
import type { ImageInput } from '../state/image-tokens.ts'
import { append, lockLeasedRun } from '../state/lease.ts'
import type { PromptContext, RunAgent } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'
import { countExceeded, endAttempt, listTriedModels, type StepNumber } from '../state/step-queries.ts'
import { releaseAttempt } from '../usage/budget-waits.ts'
import { recordInterrupted } from '../usage/record-usage.ts'
import { storePartialText } from './attempts.ts'
import type { Engine } from './engine.ts'
import { type StepEnd, settle, wait } from './settle.ts'

const RETRIES_MAX = 5
const RETRY_WINDOW_MS = 15 * 60_000
/** Retries with half the text when a summary's prompt is too long. */
const SUMMARIES_MAX = 4
const BACKOFF_MS = [1000, 4000, 15_000, 60_000, 180_000]

export interface FailedAttempt extends StepNumber {
  failure: ModelFailure
  answer: Answer
  kind: 'answer' | 'summary'
  context: PromptContext
  window: number
  images: ImageInput
}

/**
 * Retries later while retryable, then tries the next model. A waiting run occupies no worker. The attempt's end and the
 * run's next state commit together, so that a crash repeats neither.
 */
export const handleFailure = (
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  agent: RunAgent,
  attempt: FailedAttempt,
): Promise<StepEnd> =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const now = ctx.now()
    const { failure, answer } = attempt
    await lockLeasedRun(sql, run)
    await lockAncestors(sql, run)
    await storeFailure(sql, run, engine, attempt, now)
    const retryAt = failure.isRetryable ? retryTime(run, failure, now) : null
    if (retryAt) {
      await sql`
        update runs set provider_failures = provider_failures + 1, retry_since = coalesce(retry_since, ${now})
        where org_id = ${run.orgId} and id = ${run.id}`
      const attemptsLeft = RETRIES_MAX - run.providerFailures
      const attempt = run.providerFailures + 1
      return wait(inside, run, 'retry', retryAt, {
        failure: { message: failure.message, attempt, attemptsLeft },
      })
    }
    if (await canShorten(sql, run, engine, agent, attempt)) return 'next'
    const fallback = await nextModel(sql, run, agent)
    if (fallback) return changeModel(sql, run, fallback)
    if (attempt.kind === 'answer')
      await append(sql, run, await storePartialText(sql, run, attempt, answer.text, now), now)
    return settle(engine, inside, run, {
      status: 'failed',
      code: codeOf(failure),
      detail: lastWords(run, failure),
    })
  })

/** The server doesn't offer the model, or the organization doesn't allow it. */
export const tryNextModel = (
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  agent: RunAgent,
  reason: string,
  code: 'unknown_model' | 'model_not_allowed' = 'unknown_model',
): Promise<StepEnd> =>
  ctx.transaction(async (inside) => {
    await lockLeasedRun(inside.sql, run)
    const fallback = await nextModel(inside.sql, run, agent)
    if (fallback) return changeModel(inside.sql, run, fallback)
    return settle(engine, inside, run, { status: 'failed', code, detail: reason })
  })

/** Free if it failed before its first token, else charged like an interrupted attempt. */
async function storeFailure(
  sql: Sql,
  run: EngineRun,
  engine: Engine,
  { n, attempt, kind, failure, answer, context }: FailedAttempt,
  now: Date,
): Promise<void> {
  const { kind: errorCode, message } = failure
  const end = { n, attempt, state: 'failed' as const, finish: null, usage: null, cost: null, errorCode }
  await append(sql, run, [finishedEvent(kind, end)], now)
  await endAttempt(sql, run, {
    ...end,
    content: null,
    error: message,
    firstTokenAt: answer.firstTokenAt,
    now,
  })
  if (answer.firstTokenAt === null) return releaseAttempt(sql, run, { n, attempt }, now)
  const cutOff = { n, attempt, model: run.model, context, characters: answer.text.length }
  await recordInterrupted(sql, run, engine, cutOff, now)
}

const finishedEvent = (
  kind: FailedAttempt['kind'],
  end: Extract<RunEvent, { type: 'step.finished' }>['data'],
): RunEvent =>
  kind === 'answer'
    ? { type: 'step.finished', data: end }
    : { type: 'summary.finished', data: { ...end, state: 'failed', uptoSeq: null } }

/** Returns true if messages remain that a summary can replace. */
async function canShorten(
  sql: Sql,
  run: EngineRun,
  engine: Engine,
  agent: RunAgent,
  { n, kind, failure, window, images }: FailedAttempt,
): Promise<boolean> {
  if (failure.kind !== 'context_too_long') return false
  if (kind === 'summary') return (await countExceeded(sql, run, n)) < SUMMARIES_MAX
  const { toSummarize } = await engine.promptOf(sql, run, agent, {
    tokens: window,
    images,
    isExceeded: true,
  })
  return toSummarize.length > 0
}

async function changeModel(sql: Sql, run: EngineRun, model: string): Promise<StepEnd> {
  await sql`
    update runs set model = ${model}, provider_failures = 0, retry_since = null
    where org_id = ${run.orgId} and id = ${run.id}`
  return 'next'
}

function retryTime(run: EngineRun, { retryAfterMs }: ModelFailure, now: Date): Date | null {
  const since = run.retrySince ? new Date(run.retrySince) : now
  const delay = retryAfterMs ?? BACKOFF_MS[run.providerFailures] ?? 0
  const at = new Date(now.getTime() + delay)
  const isOver = run.providerFailures >= RETRIES_MAX || at.getTime() - since.getTime() > RETRY_WINDOW_MS
  return isOver || at > new Date(run.deadlineAt) ? null : at
}

async function nextModel(sql: Sql, run: EngineRun, agent: RunAgent): Promise<string | undefined> {
  const tried = await listTriedModels(sql, run)
  const current = agent.fallbackModels.indexOf(run.model)
  return agent.fallbackModels.slice(current + 1).find((model) => !tried.includes(model))
}

const lastWords = ({ providerFailures }: EngineRun, { isRetryable, message }: ModelFailure) =>
  isRetryable && providerFailures > 0
    ? `${/[.!?]$/.test(message) ? message : `${message}.`} ${providerFailures + 1} attempts failed.`
    : message

const CODES: Partial<Record<ModelFailure['kind'], RunEndCode>> = {
  rejected_key: 'provider_rejected_key',
  no_credit: 'provider_rejected_key',
  unknown_model: 'unknown_model',
  invalid_request: 'provider_rejected_request',
  refused: 'refused',
  context_too_long: 'context_too_long',
  rate_limited: 'provider_rate_limited',
}
const codeOf = ({ kind }: ModelFailure): RunEndCode => CODES[kind] ?? 'provider_unavailable'

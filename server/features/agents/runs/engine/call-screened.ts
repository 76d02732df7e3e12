import type { JobContext } from '../../../../context.ts'
import type { ModelCall, ModelMessage } from '../../../../language-models/stream-call.ts'
import { type CallLimits, callModel, OUT_OF_TIME } from '../answers/call-model.ts'
import { CANCELED } from '../answers/delta-writer.ts'
import { type Describe, type ImageTarget, showImages } from '../context/images.ts'
import { describeImages, type ImageDescription } from '../descriptions/describe-images.ts'
import { screenCalls } from '../screening/screen-calls.ts'
import { redact, screenInput } from '../screening/screen-input.ts'
import { recordMatches, type ScreeningRules } from '../screening/screening.ts'
import type { Answer } from '../state/answer.ts'
import { append, LeaseLost, lockLeasedRun } from '../state/lease.ts'
import type { EngineRun } from '../state/run-row.ts'
import { endAttempt, type StepNumber } from '../state/step-queries.ts'
import { releaseAttempt } from '../usage/budget-waits.ts'
import { storePartialText } from './attempts.ts'
import type { Engine } from './engine.ts'
import { holdLease } from './hold-lease.ts'
import { type StepEnd, settle } from './settle.ts'

export async function callScreened(
  engine: Engine,
  ctx: JobContext<'objects'>,
  run: EngineRun,
  step: StepNumber,
  { images, ...call }: Omit<ModelCall, 'signal'> & { images: ImageTarget },
  limits: CallLimits,
): Promise<Answer> {
  const { screening } = limits
  const { messages, blockedBy, matched } = await screenInput(screening, call.messages)
  const record = (stage: 'input' | 'output', found: typeof matched) =>
    recordMatches(engine, ctx.sql, run, { step: step.n, stage }, found, ctx.now())
  // A repeated attempt's matches are already recorded.
  if (step.attempt === 1 || blockedBy) await record('input', matched)
  if (blockedBy) return { ...EMPTY_ANSWER, blockedBy }
  const shown = await showAllImages(engine, ctx, run, step, messages, images, limits)
  if ('stopReason' in shown) return { ...EMPTY_ANSWER, ...shown }
  const answer = await callModel(
    ctx,
    run,
    step,
    { ...call, messages: shown.messages },
    { isShown: true, ...limits },
  )
  await record('output', answer.matched)
  const screened = await screenCalls(screening, answer)
  for (const { callId, matched: inputs } of screened.callMatches)
    await recordMatches(engine, ctx.sql, run, { step: step.n, stage: 'tool', callId }, inputs, ctx.now())
  return screened.answer
}

/**
 * Renews the lease and checks for cancellation while the vision model describes images. Guardrails redact its
 * descriptions as they redact messages.
 */
async function showAllImages(
  { silentModels: silent }: Engine,
  ctx: JobContext<'objects'>,
  run: EngineRun,
  step: StepNumber,
  messages: ModelMessage[],
  target: ImageTarget,
  { screening, handOver }: CallLimits,
): Promise<{ messages: ModelMessage[] } | { stopReason: unknown }> {
  const { describer } = target
  if (!describer) return { messages: await showImages(ctx, run.orgId, messages, target) }
  let stopReason: unknown = OUT_OF_TIME
  const renew = async () => {
    const appended = await append(ctx.sql, run, [], ctx.now())
    if (appended.isCancelRequested) stopReason = CANCELED
    return appended
  }
  let isStopped = false
  const describe: Describe = async (refs) => {
    const lease = holdLease({ renew, deadlineAt: run.deadlineAt, now: ctx.now })
    try {
      const stop = AbortSignal.any([lease.signal, handOver])
      const descriptions = await describeImages(ctx, { run, step, describer, silent }, refs, stop)
      isStopped = lease.signal.aborted
      if (lease.signal.reason instanceof LeaseLost) throw lease.signal.reason
      return redactAll(screening, descriptions)
    } finally {
      lease.stop()
    }
  }
  const shown = await showImages(ctx, run.orgId, messages, target, describe)
  return isStopped ? { stopReason } : { messages: shown }
}

async function redactAll(
  { rules }: ScreeningRules,
  descriptions: ReadonlyMap<string, ImageDescription>,
): Promise<Map<string, ImageDescription>> {
  const redacted = new Map<string, ImageDescription>()
  for (const [key, description] of descriptions)
    redacted.set(key, { ...description, text: await redact(rules.input, description.text) })
  return redacted
}

/** For blocked input: no model is called. */
const EMPTY_ANSWER: Answer = {
  text: '',
  calls: [],
  finish: null,
  usage: null,
  messages: [],
  firstTokenAt: null,
  failure: null,
  blockedBy: null,
  matched: [],
  unwrittenEvents: [],
  stopReason: null,
}

/**
 * If the input is blocked, nothing is charged, and a message takes the answer's place so that the conversation can
 * continue.
 */
export const endBlocked = (
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  step: StepNumber,
  { blockedBy, firstTokenAt }: Answer,
): Promise<StepEnd> =>
  ctx.transaction(async (inside) => {
    const now = ctx.now()
    await lockLeasedRun(inside.sql, run)
    const end = { content: null, finish: null, usage: null, cost: null, firstTokenAt, error: null, now }
    const detail = `The guardrail “${blockedBy!.name}”`
    if (firstTokenAt === null) {
      await endAttempt(inside.sql, run, {
        ...step,
        state: 'failed',
        errorCode: 'blocked_by_guardrail',
        ...end,
      })
      await releaseAttempt(inside.sql, run, step, now)
      const text = `${detail} blocked this message. The agent has not read it.`
      await append(inside.sql, run, await storePartialText(inside.sql, run, step, text, now), now)
    }
    return settle(engine, inside, run, { status: 'failed', code: 'blocked_by_guardrail', detail })
  })

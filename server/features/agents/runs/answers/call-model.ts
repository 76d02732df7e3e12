import type { JobContext } from '../../../../context.ts'
import { type ModelCall, streamCall } from '../../../../language-models/stream-call.ts'
import { screenAnswer } from '../screening/screen-answer.ts'
import type { ScreeningRules } from '../screening/screening.ts'
import { type Answer, type ArrivingAnswer, collectAnswer, findRefusal } from '../state/answer.ts'
import { append } from '../state/lease.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { StepNumber } from '../state/step-queries.ts'
import { createDeltaWriter } from './delta-writer.ts'

export const OUT_OF_TIME = Symbol('out of time')
/** The process is stopping during a model call. */
export const HANDED_OVER = Symbol('handed over')

/** Created once: an error per call takes longer than the rest of the cleanup. */
const ENDED = new DOMException('The model call has ended', 'AbortError')

export interface CallLimits {
  screening: ScreeningRules
  /** Another process then repeats the call. */
  handOver: AbortSignal
}

interface CallOptions extends CallLimits {
  /** Subscribers receive the text while it arrives. */
  isShown: boolean
}

/** Renews the lease and checks for cancellation while the answer arrives. */
export async function callModel(
  ctx: JobContext,
  run: EngineRun,
  step: StepNumber,
  call: Omit<ModelCall, 'signal'>,
  { isShown, screening, handOver }: CallOptions,
): Promise<Answer> {
  const abort = new AbortController()
  let stopReason: unknown
  const stop = (reason: unknown) => {
    stopReason ??= reason
    abort.abort()
  }
  const onHandOver = () => stop(HANDED_OVER)
  const writer = createDeltaWriter({
    step,
    append: async (events) => {
      const appended = await append(ctx.sql, run, events, ctx.now())
      if (ctx.now() > new Date(run.deadlineAt)) throw OUT_OF_TIME
      return appended
    },
    onStop: stop,
  })
  handOver.addEventListener('abort', onHandOver)
  if (handOver.aborted) onHandOver()
  const reader = screenAnswer(screening, isShown ? writer : { add: () => {} }, () => abort.abort())
  try {
    const answer = await collectAnswer(streamCall({ ...call, signal: abort.signal }), reader, ctx.now)
    const screened = await reader.end(answer)
    const unwrittenEvents = isComplete(screened) && !stopReason ? await writer.take() : []
    await writer.end()
    return { ...screened, unwrittenEvents, stopReason }
  } finally {
    // A writer that isn't stopped would renew the lease forever.
    writer.stop()
    handOver.removeEventListener('abort', onHandOver)
    abort.abort(ENDED)
  }
}

/** `finishStep` then stores the answer and its last text in one transaction. */
const isComplete = (answer: ArrivingAnswer) => !(answer.failure ?? answer.blockedBy ?? findRefusal(answer))

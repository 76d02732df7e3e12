import type { JobContext } from '../../../context.ts'
import { type ModelCall, streamCall } from '../../../models/stream-call.ts'
import { append } from '../engine/lease.ts'
import type { EngineRun } from '../engine/run-row.ts'
import type { StepNumber } from '../engine/step-queries.ts'
import { screenAnswer } from '../screening/screen-answer.ts'
import type { ScreeningRules } from '../screening/screening.ts'
import { type Answer, collectAnswer, type ReadAnswer, refusalOf } from './answer.ts'
import { createDeltaWriter } from './delta-writer.ts'

/** The run reached its limit of minutes during a model call. */
export const OUT_OF_TIME = Symbol('out of time')
/** The process stops during a model call. */
export const HANDED_OVER = Symbol('handed over')

/** Created once: an error without a use takes longer than the rest of the end. */
const ENDED = new DOMException('The model call has ended', 'AbortError')

/** Conditions that stop or change a model call. */
export interface CallLimits {
  screening: ScreeningRules
  /** The process stops: another one is to make the call. */
  handOver: AbortSignal
}

interface CallOptions extends CallLimits {
  /** Readers of the run receive the text while it arrives. */
  isShown: boolean
}

/** Reads one model call, while it renews the lease and looks for a cancellation. */
export async function callModel(
  ctx: JobContext,
  run: EngineRun,
  step: StepNumber,
  call: Omit<ModelCall, 'signal'>,
  { isShown, screening, handOver }: CallOptions,
): Promise<Answer> {
  const abort = new AbortController()
  let stopped: unknown
  const stop = (reason: unknown) => {
    stopped ??= reason
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
    const unwritten = isComplete(screened) && !stopped ? await writer.take() : []
    await writer.end()
    return { ...screened, unwritten, stopped }
  } finally {
    // Without an end, the writer would renew the lease forever.
    writer.stop()
    handOver.removeEventListener('abort', onHandOver)
    abort.abort(ENDED)
  }
}

/** The step ends with this answer: everything that it leads to is stored in one transaction. */
const isComplete = (answer: ReadAnswer) => !(answer.failure ?? answer.blockedBy ?? refusalOf(answer))

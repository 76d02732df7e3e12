import type { JobContext } from '../../../context.ts'
import { type ModelCall, streamCall } from '../../../models/stream-call.ts'
import { append } from '../engine/lease.ts'
import type { EngineRun } from '../engine/run-row.ts'
import type { StepNumber } from '../engine/step-queries.ts'
import { type Answer, collectAnswer } from './answer.ts'
import { createDeltaWriter } from './delta-writer.ts'

/** The run reached its limit of minutes during a model call. */
export const OUT_OF_TIME = Symbol('out of time')

interface CallOptions {
  /** Readers of the run receive the text while it arrives. */
  isShown: boolean
}

/** Reads one model call, while it renews the lease and looks for a cancellation. */
export async function callModel(
  ctx: JobContext,
  run: EngineRun,
  step: StepNumber,
  call: Omit<ModelCall, 'signal'>,
  { isShown }: CallOptions,
): Promise<Answer> {
  const abort = new AbortController()
  let stopped: unknown
  const writer = createDeltaWriter({
    step,
    append: async (events) => {
      const appended = await append(ctx.sql, run, events, ctx.now())
      if (ctx.now() > new Date(run.deadlineAt)) throw OUT_OF_TIME
      return appended
    },
    onStop: (reason) => {
      stopped = reason
      abort.abort()
    },
  })
  const reader = isShown ? writer : { add: () => {} }
  try {
    const answer = await collectAnswer(streamCall({ ...call, signal: abort.signal }), reader, ctx.now)
    await writer.end()
    return { ...answer, stopped }
  } finally {
    // Without an end, the writer would renew the lease for ever.
    writer.stop()
    abort.abort()
  }
}

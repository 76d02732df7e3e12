import type { JobContext } from '../../../context.ts'
import { hasQueued } from '../../sessions/sessions.ts'
import { listCallsOfStep, listOpenCalls } from '../calls/call-queries.ts'
import { runCalls } from '../calls/run-calls.ts'
import { askModel } from './ask-model.ts'
import { callEnvironment } from './call-environment.ts'
import type { Engine } from './engine.ts'
import { handleFault } from './fault.ts'
import { append, LeaseLost } from './lease.ts'
import { publishRunEvent } from './publish.ts'
import { callerOf } from './run-caller.ts'
import type { EngineRun } from './run-row.ts'
import { settle, stepLimit, timeLimit } from './settle.ts'
import { countInterruptions, latestStep, type StepRow } from './step-queries.ts'

/** An attempt that ends the process five times fails the run. */
const INTERRUPTIONS_MAX = 5

/** Advances a claimed run by one step: its open calls, or one model call. */
export async function runStep(engine: Engine, ctx: JobContext, run: EngineRun): Promise<void> {
  try {
    await advance(engine, ctx, run)
  } catch (error) {
    if (error instanceof LeaseLost) return
    await handleFault(engine, ctx, run, error)
  }
}

async function advance(engine: Engine, ctx: JobContext, run: EngineRun): Promise<void> {
  if (run.cancelRequestedAt) return settle(engine, ctx, run, { status: 'canceled' })
  if (ctx.now() > new Date(run.deadlineAt)) return settle(engine, ctx, run, timeLimit(run))
  if (!(await callerOf(ctx.sql, run)))
    return settle(engine, ctx, run, { status: 'failed', code: 'access_lost' })
  if (run.startedAt === null) await begin(ctx, run)

  const open = await listOpenCalls(ctx.sql, run)
  if (open.length > 0) return runCalls(await callEnvironment(engine, ctx, run), open)

  const last = await latestStep(ctx.sql, run)
  if (last && isAnswer(last) && (await isAnswered(ctx, run, last)))
    return settle(engine, ctx, run, { status: 'succeeded' })
  const step = nextAttempt(last)
  if (step.n > run.maxSteps) return settle(engine, ctx, run, stepLimit(run))
  if ((await countInterruptions(ctx.sql, run, step.n)) >= INTERRUPTIONS_MAX)
    return settle(engine, ctx, run, { status: 'failed', code: 'interrupted_too_often' })
  return askModel(engine, ctx, run, step)
}

/** The model made no calls, and no message waits for an answer. */
async function isAnswered(ctx: JobContext, run: EngineRun, { n }: StepRow): Promise<boolean> {
  if ((await listCallsOfStep(ctx.sql, run, n)).length > 0) return false
  return !(await hasQueued(ctx.sql, run.orgId, run.sessionId))
}

/** A summary precedes the answer of its step. */
const isAnswer = ({ state, kind }: StepRow) => state === 'done' && kind === 'answer'

const nextAttempt = (last: StepRow | undefined) => {
  if (!last) return { n: 1, attempt: 1 }
  return isAnswer(last) ? { n: last.n + 1, attempt: 1 } : { n: last.n, attempt: last.attempt + 1 }
}

const begin = (ctx: JobContext, run: EngineRun) =>
  ctx.transaction(async (inside) => {
    const now = ctx.now()
    await append(inside.sql, run, [{ type: 'run.started', data: { runId: run.id, model: run.model } }], now)
    await inside.sql`update runs set started_at = ${now} where org_id = ${run.orgId} and id = ${run.id}`
    await publishRunEvent(inside.sql, run, 'running', now)
  })

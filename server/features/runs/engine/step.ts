import type { JobContext } from '../../../context.ts'
import type { Slot } from '../../../jobs/lease-loop.ts'
import { inSpan } from '../../../telemetry/tracing.ts'
import { isOpen } from '../calls/call-queries.ts'
import { runCalls } from '../calls/run-calls.ts'
import { stepSpan } from '../tracing/run-spans.ts'
import { askModel, type LookedUp } from './ask-model.ts'
import { callEnvironment } from './call-environment.ts'
import type { Engine } from './engine.ts'
import { handleFault } from './fault.ts'
import { append, LeaseLost } from './lease.ts'
import { publishRunEvent } from './publish.ts'
import type { EngineRun } from './run-row.ts'
import { makeDue, type StepEnd, settle, stepLimit, timeLimit } from './settle.ts'
import type { StepRow } from './step-queries.ts'
import { readState, type StepState } from './step-state.ts'

/** An attempt that ends the process five times fails the run. */
const INTERRUPTIONS_MAX = 5

/**
 * Advances a claimed run step by step, until it waits or ends. While other runs wait for a worker, it advances by one step
 * and gives up the lease: the claim takes turns between organizations.
 */
export async function runSteps(
  engine: Engine,
  ctx: JobContext,
  claimed: EngineRun,
  slot: Slot,
): Promise<void> {
  let run = claimed
  try {
    let next: StepState | null = null
    do {
      const looked: LookedUp = next ? { state: next } : await lookUp(engine, ctx, run)
      const { state } = looked
      run = state.run
      const end = await inSpan(
        () => stepSpan(state),
        () => advance(engine, ctx, looked, slot.handOver),
      )
      if (end === 'released') return
      next = end === 'next' ? null : end
    } while (slot.mayContinue())
    await makeDue(ctx.sql, run, ctx.now())
  } catch (error) {
    if (error instanceof LeaseLost) return
    await handleFault(engine, ctx, run, error)
  }
}

/** Looks up the model of the run while its state is read. */
async function lookUp(engine: Engine, ctx: JobContext, run: EngineRun): Promise<LookedUp> {
  const { orgId, kind, model } = run
  const [state, found] = await Promise.all([
    readState(ctx.sql, run, ctx.now()),
    kind === 'agent' ? engine.models.find(orgId, model) : null,
  ])
  return found && state.run.model === model ? { state, found } : { state }
}

/** One step: the open calls of the run, or one model call, which returns the state for its calls. */
async function advance(
  engine: Engine,
  ctx: JobContext,
  looked: LookedUp,
  handOver: AbortSignal,
): Promise<StepEnd | StepState> {
  const { state } = looked
  const { run, last, calls } = state
  if (run.cancelRequestedAt) return settle(engine, ctx, run, { status: 'canceled' })
  if (ctx.now() > new Date(run.deadlineAt)) return settle(engine, ctx, run, timeLimit(run))
  if (!state.rights) return settle(engine, ctx, run, { status: 'failed', code: 'access_lost' })
  if (run.startedAt === null) await begin(ctx, run)
  if (run.kind === 'workflow') return engine.workflows.advance(ctx, run)

  const open = calls.filter(isOpen)
  if (open.length > 0) return runCalls(await callEnvironment(engine, ctx, state), open)

  const isAnswered = last !== null && isAnswer(last)
  if (isAnswered && calls.length === 0 && !state.hasQueued)
    return settle(engine, ctx, run, { status: 'succeeded' })
  const step = nextAttempt(last)
  if (step.n > run.maxSteps) return settle(engine, ctx, run, stepLimit(run))
  if (!isAnswered && state.interruptions >= INTERRUPTIONS_MAX)
    return settle(engine, ctx, run, { status: 'failed', code: 'interrupted_too_often' })
  return askModel(engine, ctx, looked, step, handOver)
}

/** A summary precedes the answer of its step. */
const isAnswer = ({ state, kind }: StepRow) => state === 'done' && kind === 'answer'

const nextAttempt = (last: StepRow | null) => {
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

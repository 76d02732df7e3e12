import type { JobContext } from '../../../../context.ts'
import type { Slot } from '../../../../jobs/lease-loop.ts'
import { inSpan } from '../../../../observability/tracing.ts'
import { isOpen } from '../calls/call-queries.ts'
import { workflowSteps } from '../hooks.ts'
import { append, LeaseLost } from '../state/lease.ts'
import type { ReadMessages } from '../state/prompt.ts'
import { publishRunEvent } from '../state/publish.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { StepRow } from '../state/step-queries.ts'
import { askModel } from './ask-model.ts'
import { callEnvironment } from './call-environment.ts'
import { endAnswered } from './end-answered.ts'
import type { Engine } from './engine.ts'
import { handleFault } from './fault.ts'
import { endProgramRun } from './program-run.ts'
import { runCalls } from './run-calls.ts'
import { stepSpan } from './run-spans.ts'
import { makeDue, type RunEnd, type StepEnd, settle, stepLimit, timeLimit } from './settle.ts'
import { type CachedRun, readState, type StepState } from './step-state.ts'

/** A run fails when its process ends this often during one step. */
const INTERRUPTIONS_MAX = 5

/** While other runs wait for a worker, takes one step and releases the lease, so that organizations take turns. */
export async function runSteps(
  engine: Engine,
  ctx: JobContext<'hooks' | 'outbound' | 'quotas' | 'objects'>,
  claimed: EngineRun,
  slot: Slot,
): Promise<void> {
  let run = claimed
  // A phone call's last answer is shortened to what the caller heard, so nothing is cached.
  const read: ReadMessages | null =
    run.trigger === 'call'
      ? null
      : { messages: [], memories: new Map(), formats: new Map(), documents: new Map(), imageSizes: new Map() }
  try {
    let next: StepState | null = null
    do {
      const cached: CachedRun = { ...(next ? { state: next } : await loadRun(engine, ctx, run)), read }
      const { state } = cached
      run = state.run
      const end = await inSpan(
        () => stepSpan(state),
        () => advance(engine, ctx, cached, slot.handOver),
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

async function loadRun(engine: Engine, ctx: JobContext, run: EngineRun): Promise<Omit<CachedRun, 'read'>> {
  const { orgId, kind, model } = run
  const [state, foundModel] = await Promise.all([
    readState(ctx.sql, run, ctx.now()),
    kind === 'agent' ? engine.models.find(orgId, model) : null,
  ])
  return { state, ...(foundModel && state.run.model === model && { foundModel }) }
}

/** Returns the next step's state if already read. */
async function advance(
  engine: Engine,
  ctx: JobContext<'hooks' | 'outbound' | 'quotas' | 'objects'>,
  cached: CachedRun,
  handOver: AbortSignal,
): Promise<StepEnd | StepState> {
  const { state } = cached
  const { run, last, calls } = state
  const end = (reason: RunEnd) => settle(engine, ctx, run, reason)
  if (run.cancelRequestedAt) return end({ status: 'canceled' })
  if (ctx.now() > new Date(run.deadlineAt)) return end(timeLimit(run))
  if (!state.rights) return end({ status: 'failed', code: 'access_lost' })
  if (run.startedAt === null) await begin(ctx, run)
  if (run.kind === 'workflow') return ctx.hooks.one(workflowSteps).advance(ctx, run)

  const open = calls.filter(isOpen)
  if (open.length > 0) return runCalls(await callEnvironment(engine, ctx, state), open)

  if (run.isProgram) return endProgramRun(engine, ctx, run, calls)

  const isAnswered = last !== null && isAnswer(last)
  if (isAnswered && calls.length === 0 && !state.hasQueued) return endAnswered(engine, ctx, run, last)
  const step = nextAttempt(last)
  if (step.n > run.maxSteps) return end(stepLimit(run))
  if (!isAnswered && state.interruptions >= INTERRUPTIONS_MAX)
    return end({ status: 'failed', code: 'interrupted_too_often' })
  return askModel(engine, ctx, cached, step, handOver)
}

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

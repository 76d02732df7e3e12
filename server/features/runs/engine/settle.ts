import type { Context, JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { foldQueued, hasQueued, lockSession, releaseSession } from '../../sessions/sessions.ts'
import { cancelCalls } from '../calls/end-calls.ts'
import { storeResults } from '../calls/store-results.ts'
import { keepCutOff, messageEvent } from './attempts.ts'
import type { Engine } from './engine.ts'
import { type RunEndCode, runErrors } from './errors.ts'
import { append, wakeWorkers } from './lease.ts'
import { notifyOfEnd, publishRunEvent } from './publish.ts'
import type { EngineRun, RunWait } from './run-row.ts'
import { latestStep } from './step-queries.ts'

type AnyContext = Pick<Context | JobContext, 'sql' | 'now' | 'transaction'>

type RunEnd =
  | { status: 'succeeded' | 'canceled' }
  | { status: 'failed'; code: RunEndCode; detail?: string | undefined }

/**
 * Ends a run. Every open call ends with a result first, and messages that were sent since join the conversation, so that it
 * can go on. A run whose cancellation was accepted ends as canceled.
 */
export const settle = (engine: Pick<Engine, 'models'>, ctx: AnyContext, run: EngineRun, end: RunEnd) =>
  ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    await lockSession(sql, run.orgId, run.sessionId)
    const { isCancelRequested } = await append(sql, run, [], now)
    const { status, errorCode, error } = outcomeOf(isCancelRequested ? { status: 'canceled' } : end)
    if (status === 'succeeded' && (await hasQueued(sql, run.orgId, run.sessionId)))
      return enqueueStep(sql, run, now)
    const last = await latestStep(sql, run)
    const kept = last ? await keepCutOff(sql, run, engine, last.n, now) : []
    const ended = await cancelCalls(sql, run, status, now)
    if (last) await storeResults(sql, run, last.n, now)
    const folded = await foldQueued(sql, run.orgId, run.sessionId, run.id)
    const finished = { type: 'run.finished' as const, data: { status, errorCode, error } }
    await append(sql, run, [...kept, ...ended, ...folded.map(messageEvent), finished], now)
    await sql`
      update runs set status = ${status}, error_code = ${errorCode}, error = ${error}, finished_at = ${now}, wait = null, due_at = null
      where org_id = ${run.orgId} and id = ${run.id}`
    await releaseSession(sql, run.orgId, run.sessionId, run.id)
    await publishRunEvent(sql, run, status, now)
    await notifyOfEnd(sql, run, now)
  })

const outcomeOf = (end: RunEnd) =>
  end.status === 'failed'
    ? { status: end.status, errorCode: end.code, error: runErrors[end.code](end.detail) }
    : { status: end.status, errorCode: null, error: null }

export const timeLimit = ({ createdAt, deadlineAt }: EngineRun): RunEnd => {
  const minutes = Math.round((new Date(deadlineAt).getTime() - new Date(createdAt).getTime()) / 60_000)
  return { status: 'failed', code: 'time_limit', detail: `its limit of ${minutes} minutes` }
}

export const stepLimit = ({ maxSteps }: EngineRun): RunEnd => ({
  status: 'failed',
  code: 'step_limit',
  detail: `its limit of ${maxSteps} steps`,
})

/** Releases the worker until a decision, a time or another run wakes the run. */
export const wait = (ctx: AnyContext, run: EngineRun, reason: RunWait['for'], until: Date | null = null) =>
  ctx.transaction(async (inside) => {
    const now = ctx.now()
    const untilText = until?.toISOString() ?? null
    // A cancellation makes no step due while a worker holds the run.
    if ((await append(inside.sql, run, [], now)).isCancelRequested) return enqueueStep(inside.sql, run, now)
    await append(inside.sql, run, [{ type: 'run.waiting', data: { for: reason, until: untilText } }], now)
    const waiting: RunWait = { for: reason, since: now.toISOString(), until: untilText }
    await inside.sql`
      update runs set status = 'waiting', wait = ${inside.sql.json(waiting as never)}, due_at = ${until}
      where org_id = ${run.orgId} and id = ${run.id}`
    await publishRunEvent(inside.sql, run, 'waiting', now)
  })

/** Makes the next step due, in the transaction that ends this one. */
export async function enqueueStep(sql: Sql, run: Pick<EngineRun, 'orgId' | 'id'>, now: Date): Promise<void> {
  await sql`update runs set due_at = ${now} where org_id = ${run.orgId} and id = ${run.id}`
  wakeWorkers(sql)
}

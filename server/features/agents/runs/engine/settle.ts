import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import { counted } from '../../../../../contract/counted.ts'
import type { Context, JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { hasQueued, joinQueued, releaseSession } from '../../conversations/conversations.ts'
import { endOpenCalls, storeResults } from '../calls/end-calls.ts'
import { reportApprovals, reportEnd } from '../children/report.ts'
import { lockAncestors } from '../children/tree-queries.ts'
import { type RunEndCode, runErrors } from '../state/errors.ts'
import { append, type LeasedRun, lockLeasedRun, wakeWorkers } from '../state/lease.ts'
import { notifyOfEnd, publishRunEvent } from '../state/publish.ts'
import type { EngineRun, RunWait, StepEnd } from '../state/run-row.ts'
import { findLatestStep } from '../state/step-queries.ts'
import { endInterruptedWithText, messageEvent } from './attempts.ts'
import type { Engine } from './engine.ts'
import { recordRun } from './run-spans.ts'

type AnyContext = Pick<Context | JobContext, 'sql' | 'now' | 'transaction'>

export type { StepEnd } from '../state/run-row.ts'

export type RunEnd =
  | { status: 'succeeded'; output?: unknown }
  | { status: 'canceled' }
  | { status: 'failed'; code: RunEndCode; detail?: string | undefined }

/**
 * Open calls get a result and queued messages join first, so that the conversation can continue. A run with an accepted
 * cancellation ends as canceled.
 */
export const settle = (
  engine: Pick<Engine, 'models'>,
  ctx: AnyContext,
  run: EngineRun,
  end: RunEnd,
): Promise<StepEnd> =>
  ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    const { isCancelRequested } = await lockLeasedRun(sql, run)
    await lockAncestors(sql, run)
    const outcome: RunEnd = isCancelRequested ? { status: 'canceled' } : end
    if (outcome.status === 'succeeded' && (await hasQueued(sql, run.orgId, run.sessionId))) return 'next'
    const last = await findLatestStep(sql, run)
    const attemptEvents = last ? await endInterruptedWithText(sql, run, engine, last.n, now) : []
    const callEvents = await endOpenCalls(sql, run, outcome.status, now)
    await reportApprovals(sql, run, callEvents, now)
    if (last) await storeResults(sql, run, last.n, now)
    const joined = await joinQueued(sql, run.orgId, run.sessionId, run.id)
    return endRun(sql, run, outcome, [...attemptEvents, ...callEvents, ...joined.map(messageEvent)], now)
  })

/** The run must have no open calls. */
export async function endRun(
  sql: Sql,
  run: EngineRun,
  end: RunEnd,
  events: RunEvent[],
  now: Date,
): Promise<StepEnd> {
  const { status, errorCode, error, output } = outcomeOf(end)
  await Promise.all([
    append(
      sql,
      run,
      [
        ...events,
        { type: 'run.finished', data: { status, errorCode, error, ...(output !== null && { output }) } },
      ],
      now,
    ),
    sql`
      update runs set status = ${status}, error_code = ${errorCode}, error = ${error}, finished_at = ${now}, wait = null, due_at = null,
        output = ${sql.json(output)}
      where org_id = ${run.orgId} and id = ${run.id}`,
    releaseSession(sql, run.orgId, run.sessionId, run.id),
    publishRunEvent(sql, run, status, now),
    notifyOfEnd(sql, run, status, now),
  ])
  await reportEnd(sql, run, { status, error }, now)
  recordRun(run, { status, errorCode, now })
  return 'released'
}

const outcomeOf = (end: RunEnd) =>
  end.status === 'failed'
    ? { status: end.status, errorCode: end.code, error: runErrors[end.code](end.detail), output: null }
    : { status: end.status, errorCode: null, error: null, output: outputIn(end) }

const outputIn = (end: RunEnd): unknown => (end.status === 'succeeded' ? (end.output ?? null) : null)

export const timeLimit = ({ createdAt, deadlineAt }: EngineRun): RunEnd => {
  const minutes = Math.round((new Date(deadlineAt).getTime() - new Date(createdAt).getTime()) / 60_000)
  return { status: 'failed', code: 'time_limit', detail: `its time limit (${counted(minutes, 'minute')})` }
}

export const stepLimit = ({ maxSteps }: EngineRun): RunEnd => ({
  status: 'failed',
  code: 'step_limit',
  detail: `its ${maxSteps}-step limit`,
})

/** Until a decision, a time or another run wakes the run. */
export const wait = (
  ctx: AnyContext,
  run: EngineRun,
  reason: RunWait['for'],
  until: Date | null = null,
  cause: Pick<RunWait, 'budget' | 'failure'> = {},
): Promise<StepEnd> =>
  ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    const untilText = until?.toISOString() ?? null
    // A cancellation makes no step due while a worker holds the lease.
    if ((await append(sql, run, [], now)).isCancelRequested) return 'next'
    const waiting: RunWait = {
      for: reason,
      since: now.toISOString(),
      until: untilText,
      ...cause,
    }
    await Promise.all([
      append(sql, run, [{ type: 'run.waiting', data: { for: reason, until: untilText, ...cause } }], now),
      sql`
        update runs set status = 'waiting', wait = ${sql.json(waiting as never)}, due_at = ${until}
        where org_id = ${run.orgId} and id = ${run.id}`,
      publishRunEvent(sql, run, 'waiting', now),
    ])
    return 'released'
  })

/** Any worker can claim the next step. */
export async function makeDue(sql: Sql, run: LeasedRun, now: Date): Promise<void> {
  await sql`
    update runs set due_at = ${now}
    where org_id = ${run.orgId} and id = ${run.id} and lease = ${run.lease} and status = 'running'`
  wakeWorkers(sql)
}

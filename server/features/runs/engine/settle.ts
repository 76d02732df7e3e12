import type { Context, JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { lockSession, releaseSession } from '../../sessions/sessions.ts'
import { cancelCalls } from '../calls/end-calls.ts'
import { storeResults } from '../calls/store-results.ts'
import { type RunEndCode, runErrors } from './errors.ts'
import { append, wakeWorkers } from './lease.ts'
import { publishRunEvent } from './publish.ts'
import type { EngineRun, RunWait } from './run-row.ts'
import { latestStep } from './step-queries.ts'

type AnyContext = Pick<Context | JobContext, 'sql' | 'now' | 'transaction'>

/** Ends a run. Every open call ends with a result first, so that the conversation can go on. */
export const settle = (
  ctx: AnyContext,
  run: EngineRun,
  end: { status: 'succeeded' | 'canceled' } | { status: 'failed'; code: RunEndCode; detail?: string },
) =>
  ctx.transaction(async (inside) => {
    const now = ctx.now()
    await lockSession(inside.sql, run.orgId, run.sessionId)
    const errorCode = end.status === 'failed' ? end.code : null
    const error = end.status === 'failed' ? runErrors[end.code](end.detail) : null
    await append(inside.sql, run, [], now)
    const ended = await cancelCalls(inside.sql, run, end.status, now)
    const last = await latestStep(inside.sql, run)
    if (last) await storeResults(inside.sql, run, last.n, now)
    await append(
      inside.sql,
      run,
      [...ended, { type: 'run.finished', data: { status: end.status, errorCode, error } }],
      now,
    )
    await inside.sql`
      update runs set status = ${end.status}, error_code = ${errorCode}, error = ${error}, finished_at = ${now}, wait = null, due_at = null
      where org_id = ${run.orgId} and id = ${run.id}`
    await releaseSession(inside.sql, run.orgId, run.sessionId, run.id)
    await publishRunEvent(inside.sql, run, end.status, now)
  })

/** Releases the worker until a decision, a time or another run wakes the run. */
export const wait = (ctx: AnyContext, run: EngineRun, reason: RunWait['for'], until: Date | null = null) =>
  ctx.transaction(async (inside) => {
    const now = ctx.now()
    const untilText = until?.toISOString() ?? null
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

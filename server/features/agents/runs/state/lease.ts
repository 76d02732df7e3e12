import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { notify } from '../../../../database/transaction.ts'
import type { Trust } from '../../../../tools/tool.ts'
import { sessionLock } from '../../conversations/conversations.ts'
import { toStorable } from './storable.ts'

export const RUN_CHANNEL = 'atrium_runs'
export const STEP_CHANNEL = 'atrium_steps'

/** Each claim has its own number. Writes with an earlier one match no row. */
export interface LeasedRun {
  orgId: string
  id: string
  sessionId: string
  lease: number
}

/** Workers renew at least once a second. After this long, another worker continues a killed worker's run. */
export const LEASE_MS = 15_000
/** With more time left, the lease isn't renewed: an update touches every index. */
const RENEWED_MS = 10_000
export const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS)

const renewLeaseSql = (sql: Sql, now: Date): Fragment => sql`
  due_at = case when due_at > ${new Date(now.getTime() + RENEWED_MS)} then due_at else ${leaseEnd(now)} end`

/** Another worker has claimed the run, or it has ended. This worker must stop writing. */
export class LeaseLost extends Error {
  constructor() {
    super('Another worker has claimed this run')
  }
}

export interface AppendResult {
  seq: number
  isCancelRequested: boolean
  /** A message may have lowered it since the worker read the run. */
  trust: Trust
}

interface AppendOptions {
  trust?: Trust | undefined
  /** Resets the consecutive failure count. */
  isSuccess?: boolean
  /** A row change as `name as (update … from run …)`. */
  change?: Fragment
}

/**
 * Must be the first statement in a worker's transaction: checks the lease and locks the run, so that numbers have no
 * gaps and become visible in order.
 */
export async function append(
  sql: Sql,
  run: LeasedRun,
  events: RunEvent[],
  now: Date,
  options: AppendOptions = {},
): Promise<AppendResult> {
  const appended = await tryAppend(sql, run, events, now, options)
  if (!appended) throw new LeaseLost()
  return appended
}

/** Returns null if cancellation was requested. */
export async function appendUnlessCanceled(
  sql: Sql,
  run: LeasedRun,
  events: RunEvent[],
  now: Date,
  options: AppendOptions = {},
): Promise<AppendResult | null> {
  const appended = await tryAppend(sql, run, events, now, options, sql`and cancel_requested_at is null`)
  if (!appended) await append(sql, run, [], now)
  return appended
}

async function tryAppend(
  sql: Sql,
  run: LeasedRun,
  events: RunEvent[],
  now: Date,
  { trust, isSuccess, change }: AppendOptions,
  condition: Fragment = sql``,
): Promise<AppendResult | null> {
  const [row] = await sql<AppendResult[]>`
    with run as (
      update runs set next_seq = next_seq + ${events.length}, ${renewLeaseSql(sql, now)}
        ${lowerTrustSql(sql, trust)}
        ${isSuccess ? sql`, provider_failures = 0, retry_since = null, faults = 0` : sql``}
      where org_id = ${run.orgId} and id = ${run.id} and lease = ${run.lease} and status = 'running' ${condition}
      returning org_id, id, next_seq, cancel_requested_at, trust
    )${events.length > 0 ? sql`, ${insertEvents(sql, events, now)}` : sql``} ${change ? sql`, ${change}` : sql``}
    select next_seq::int - 1 as seq, cancel_requested_at is not null as "isCancelRequested", trust from run`
  if (row && events.length > 0) notifyRun(sql, run)
  return row ?? null
}

const lowerTrustSql = (sql: Sql, to: Trust | undefined): Fragment =>
  to === undefined || to === 'trusted'
    ? sql``
    : sql`, trust = case when trust = 'trusted' or ${to}::text = 'untrusted' then ${to} else trust end`

/**
 * Must be the first statement in a worker's transaction that also writes messages: checks the lease and locks the
 * session, then the run. Later events renew the lease.
 */
export async function lockLeasedRun(sql: Sql, run: LeasedRun): Promise<AppendResult> {
  const [row] = await sql<AppendResult[]>`
    with session as (${sessionLock(sql, run.orgId, run.sessionId)})
    select r.next_seq::int - 1 as seq, r.cancel_requested_at is not null as "isCancelRequested", r.trust
    from session, runs r
    where r.org_id = ${run.orgId} and r.id = ${run.id} and r.lease = ${run.lease} and r.status = 'running'
    for no key update of r`
  if (!row) throw new LeaseLost()
  return row
}

/**
 * Saves a round trip for statements sent after `lockLeasedRun` without waiting. If the lease is lost, throws
 * `LeaseLost` instead of the errors it causes.
 */
export async function resultsAfterLock<T extends unknown[]>(
  locked: Promise<AppendResult>,
  statements: readonly [...T],
) {
  const results = Promise.all(statements)
  results.catch(() => {})
  return { locked: await locked, results: await results }
}

/** The transaction must have locked the run. */
export async function appendWithoutLease(
  sql: Sql,
  run: Omit<LeasedRun, 'lease'>,
  events: RunEvent[],
  now: Date,
): Promise<void> {
  await sql`
    with run as (
      update runs set next_seq = next_seq + ${events.length}
      where org_id = ${run.orgId} and id = ${run.id} returning org_id, id, next_seq
    ), ${insertEvents(sql, events, now)}
    select from run`
  notifyRun(sql, run)
}

const insertEvents = (sql: Sql, events: RunEvent[], now: Date): Fragment => sql`
  added as (
    insert into run_events (org_id, run_id, seq, type, data, at)
    select run.org_id, run.id, run.next_seq - ${events.length} + e.n - 1, e.type, e.data, ${now}
    from run, jsonb_to_recordset(${sql.json(events.map((event, n) => ({ n: n + 1, ...toStorable(event) })) as never)})
      as e (n int, type text, data jsonb)
  )`

export const wakeWorkers = (sql: Sql): void => notify(sql, STEP_CHANNEL)

export const notifyRun = (sql: Sql, { orgId, id, sessionId }: Omit<LeasedRun, 'lease'>): void =>
  notify(sql, RUN_CHANNEL, JSON.stringify({ orgId, runId: id, sessionId }))

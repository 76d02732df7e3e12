import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { notify } from '../../../database/transaction.ts'
import type { Trust } from '../../../tools/tool.ts'
import { sessionLock } from '../../sessions/sessions.ts'
import { storable } from './storable.ts'

/** Runs that have new events. */
export const RUN_CHANNEL = 'atrium_runs'
/** Wakes the workers. */
export const STEP_CHANNEL = 'atrium_steps'

/** A claimed run. Each claim has its own lease; the writes of an earlier one match no row. */
export interface LeasedRun {
  orgId: string
  id: string
  sessionId: string
  lease: number
}

/** A worker renews its lease at least once a second, so the run of a killed one continues after this time. */
export const LEASE_MS = 15_000
/** A lease that ends later than this is not renewed: a change of its end is a change of every index of the table. */
const RENEWED_MS = 10_000
export const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS)

const renewed = (sql: Sql, now: Date): Fragment => sql`
  due_at = case when due_at > ${new Date(now.getTime() + RENEWED_MS)} then due_at else ${leaseEnd(now)} end`

/** Another worker has claimed the run, or it has ended: this worker stops and writes nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super('Another worker has claimed this run')
  }
}

export interface AppendResult {
  /** The number of the last event. */
  seq: number
  isCancelRequested: boolean
  /** The trust of the run as it is now: others may have lowered it since the worker read the run. */
  trust: Trust
}

interface AppendOptions {
  /** Lowers the trust of the run. */
  trust?: Trust | undefined
  /** The step succeeded: the count of consecutive failures starts again. */
  isSuccess?: boolean
  /** A change of a row of the run, as `name as (update … from run …)`. */
  change?: Fragment
}

/**
 * Appends events to a claimed run. The first statement of every transaction of a worker, because it checks the lease and
 * locks the run: the numbers have no gaps and become visible in order.
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

/** Appends nothing and returns null if the run is to be canceled. */
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
      update runs set next_seq = next_seq + ${events.length}, ${renewed(sql, now)} ${lowered(sql, trust)}
        ${isSuccess ? sql`, provider_failures = 0, retry_since = null, faults = 0` : sql``}
      where org_id = ${run.orgId} and id = ${run.id} and lease = ${run.lease} and status = 'running' ${condition}
      returning org_id, id, next_seq, cancel_requested_at, trust
    )${events.length > 0 ? sql`, ${insertEvents(sql, events, now)}` : sql``} ${change ? sql`, ${change}` : sql``}
    select next_seq::int - 1 as seq, cancel_requested_at is not null as "isCancelRequested", trust from run`
  if (row && events.length > 0) announce(sql, run)
  return row ?? null
}

const lowered = (sql: Sql, to: Trust | undefined): Fragment =>
  to === undefined || to === 'trusted'
    ? sql``
    : sql`, trust = case when trust = 'trusted' or ${to}::text = 'untrusted' then ${to} else trust end`

/**
 * Checks the lease and locks the session of the run, then the run: the first statement of every transaction of a worker
 * that also writes messages. It changes nothing: the events that follow renew the lease.
 */
export async function hold(sql: Sql, run: LeasedRun): Promise<AppendResult> {
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
 * The results of statements that were sent behind `hold` without waiting for it, in one round trip. If the lease is lost,
 * that is the reported error, not the failures that it caused.
 */
export async function behind<T extends unknown[]>(held: Promise<AppendResult>, rest: readonly [...T]) {
  const results = Promise.all(rest)
  results.catch(() => {})
  return { held: await held, results: await results }
}

/** Appends events to a run that no worker has leased, such as one that waits, and changes it in the same statement. */
export async function appendUnheld(
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
  announce(sql, run)
}

const insertEvents = (sql: Sql, events: RunEvent[], now: Date): Fragment => sql`
  added as (
    insert into run_events (org_id, run_id, seq, type, data, at)
    select run.org_id, run.id, run.next_seq - ${events.length} + e.n - 1, e.type, e.data, ${now}
    from run, jsonb_to_recordset(${sql.json(events.map((event, n) => ({ n: n + 1, ...storable(event) })) as never)})
      as e (n int, type text, data jsonb)
  )`

/** A step of a run is due. */
export const wakeWorkers = (sql: Sql): void => notify(sql, STEP_CHANNEL)

export const announce = (sql: Sql, { orgId, id, sessionId }: Omit<LeasedRun, 'lease'>): void =>
  notify(sql, RUN_CHANNEL, JSON.stringify({ orgId, runId: id, sessionId }))

import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../database/database.ts'
import { notify } from '../../../database/transaction.ts'
import { storable } from './storable.ts'

/** Runs that have new events. */
export const RUN_CHANNEL = 'atrium_runs'
/** Wakes the workers. */
export const STEP_CHANNEL = 'atrium_steps'

/** A claimed run. Each claim has its own lease; the writes of an earlier one match no row. */
export interface Held {
  orgId: string
  id: string
  sessionId: string
  lease: number
}

/** A worker renews its lease at least once a second, so the run of a killed one goes on after this time. */
const LEASE_MS = 15_000
export const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS)

/** Another worker has claimed the run, or it has ended: this worker stops and writes nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super('Another worker has claimed this run')
  }
}

export interface Appended {
  /** The number of the last event. */
  seq: number
  isCancelRequested: boolean
}

/**
 * Appends events to a claimed run. The first statement of every transaction of a worker, because it checks the lease and
 * locks the run: the numbers have no gaps and become visible in order.
 */
export async function append(sql: Sql, run: Held, events: RunEvent[], now: Date): Promise<Appended> {
  const [row] = await sql<Appended[]>`
    with run as (
      update runs set next_seq = next_seq + ${events.length}, due_at = ${leaseEnd(now)}
      where org_id = ${run.orgId} and id = ${run.id} and lease = ${run.lease} and status = 'running'
      returning org_id, id, next_seq, cancel_requested_at
    ), ${insertEvents(sql, events, now)}
    select next_seq::int - 1 as seq, cancel_requested_at is not null as "isCancelRequested" from run`
  if (!row) throw new LeaseLost()
  if (events.length > 0) announce(sql, run)
  return row
}

/** Appends events to a run that no worker holds, such as one that waits, and changes it in the same statement. */
export async function appendUnheld(
  sql: Sql,
  run: Omit<Held, 'lease'>,
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

const insertEvents = (sql: Sql, events: RunEvent[], now: Date) => sql`
  added as (
    insert into run_events (org_id, run_id, seq, type, data, at)
    select run.org_id, run.id, run.next_seq - ${events.length} + e.n - 1, e.type, e.data, ${now}
    from run, jsonb_to_recordset(${sql.json(events.map((event, n) => ({ n: n + 1, ...storable(event) })) as never)})
      as e (n int, type text, data jsonb)
  )`

/** A step of a run is due. */
export const wakeWorkers = (sql: Sql): void => notify(sql, STEP_CHANNEL)

export const announce = (sql: Sql, { orgId, id, sessionId }: Omit<Held, 'lease'>): void =>
  notify(sql, RUN_CHANNEL, JSON.stringify({ orgId, runId: id, sessionId }))

import { HOME_LIMITS } from '../../../contract/home/home-options.ts'
import type { Sql } from '../../database/database.ts'

/** The state of the installation, over all organizations; only operators can read it. */

const COUNTED_MAX = 100
const UNSENT_AFTER = '5 minutes'
const WORKER_ALIVE = '30 seconds'

export interface HealthRow {
  waiting: number
  dead: number
  lagSeconds: number
  workers: number
  unsent: number
  openFeedback: number
}

/** Jobs and heartbeats have the time of the database, as their workers use it. */
export async function readCounts(sql: Sql, now: Date): Promise<HealthRow> {
  const [row] = await sql<[HealthRow]>`
    with jobs as materialized (
      select run_at, locked_at, attempts >= max_attempts as is_dead from graphile_worker.jobs limit ${HOME_LIMITS.jobs}
    )
    select (select count(*)::int from jobs where not is_dead) as waiting,
      (select count(*)::int from jobs where is_dead) as dead,
      (select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 from jobs
        where run_at <= now() and locked_at is null and not is_dead) as "lagSeconds",
      (select count(*)::int from job_processes where seen_at > now() - ${WORKER_ALIVE}::interval) as workers,
      (select count(*)::int from (
        select from mails where sent_at is null and created_at < ${now}::timestamptz - ${UNSENT_AFTER}::interval
        limit ${COUNTED_MAX}) m) as unsent,
      (select count(*)::int from (select from feedback where status = 'open' limit ${COUNTED_MAX}) f) as "openFeedback"`
  return row
}

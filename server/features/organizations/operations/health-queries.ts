import { HEALTH_LIMITS } from '../../../../contract/organizations/health-options.ts'
import type { Sql } from '../../../database/database.ts'

/** The state of the installation, over all organizations; only operators can read it. */

const COUNTED_MAX = 100
const UNSENT_AFTER = '5 minutes'
const WORKER_ALIVE = '30 seconds'

export interface TaskRow {
  task: string
  waiting: number
  running: number
  retrying: number
  dead: number
  lagSeconds: number
}

/** Jobs and heartbeats have the time of the database, as their workers use it. Dead jobs have an index of their own. */
export const countTasks = (sql: Sql) => sql<TaskRow[]>`
  with open as materialized (
    select task_identifier as task, run_at, locked_at, attempts from graphile_worker.jobs
    where attempts < max_attempts or locked_at is not null limit ${HEALTH_LIMITS.counted}
  ), dead as materialized (
    select task_identifier as task from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null limit ${HEALTH_LIMITS.counted}
  )
  select task, sum(waiting)::int as waiting, sum(running)::int as running, sum(retrying)::int as retrying,
    sum(dead)::int as dead, coalesce(extract(epoch from now() - min(due)), 0)::float8 as "lagSeconds"
  from (
    select task, (locked_at is null and attempts = 0)::int as waiting, (locked_at is not null)::int as running,
      (locked_at is null and attempts > 0)::int as retrying, 0 as dead,
      case when run_at <= now() and locked_at is null then run_at end as due
    from open
    union all select task, 0, 0, 0, 1, null from dead
  ) jobs
  group by task`

export interface PartsRow {
  workers: number
  unsent: number
  openFeedback: number
}

export async function readParts(sql: Sql, now: Date): Promise<PartsRow> {
  const [row] = await sql<[PartsRow]>`
    select
      (select count(*)::int from job_processes where seen_at > now() - ${WORKER_ALIVE}::interval) as workers,
      (select count(*)::int from (
        select from mails where sent_at is null and created_at < ${now}::timestamptz - ${UNSENT_AFTER}::interval
        limit ${COUNTED_MAX}) m) as unsent,
      (select count(*)::int from (select from feedback where status = 'open' limit ${COUNTED_MAX}) f) as "openFeedback"`
  return row
}

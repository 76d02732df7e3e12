import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'
import type { Logger } from 'pino'
import type { Pool } from '../database/database.ts'
import { newId } from '../security/ids.ts'

const HEARTBEAT_MS = 5000
const DEAD_AFTER_S = 30

/**
 * graphile-worker frees a killed worker's jobs only after four hours. So processes record live workers every few
 * seconds, and release jobs of those unrecorded for half a minute.
 */
export async function startHeartbeat(pool: Pool, log: Logger) {
  const processId = newId()
  const workerIds = new Set<string>()
  const events = new EventEmitter() as WorkerEvents
  events.on('worker:create', ({ worker }) => workerIds.add(worker.workerId))
  events.on('worker:stop', ({ worker }) => workerIds.delete(worker.workerId))

  const beat = async () => {
    await pool`
      insert into job_processes (id, worker_ids, seen_at) values (${processId}, ${[...workerIds]}, now())
      on conflict (id) do update set worker_ids = excluded.worker_ids, seen_at = now()`
    await releaseJobsOfDeadWorkers(pool)
  }
  const timer = setInterval(
    () => beat().catch((err: unknown) => log.warn({ err }, 'worker heartbeat failed')),
    HEARTBEAT_MS,
  )
  await beat()
  return {
    events,
    async stop() {
      clearInterval(timer)
      await pool`delete from job_processes where id = ${processId}`
    },
  }
}

/** Call only when the database's sole process starts: every lock then belongs to a killed process. */
export async function releaseOrphanedJobs(pool: Pool): Promise<void> {
  await pool`delete from job_processes`
  await pool`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where locked_by is not null having count(*) > 0`
}

async function releaseJobsOfDeadWorkers(pool: Pool): Promise<void> {
  await pool`delete from job_processes where seen_at < now() - make_interval(secs => ${DEAD_AFTER_S})`
  await pool`
    select graphile_worker.force_unlock_workers(array_agg(distinct j.locked_by)) from graphile_worker.jobs j
    where j.locked_by is not null and j.locked_at < now() - make_interval(secs => ${DEAD_AFTER_S})
      and not exists (select from job_processes p where j.locked_by = any(p.worker_ids))
    having count(*) > 0`
}

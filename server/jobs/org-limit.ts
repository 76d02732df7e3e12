import { EventEmitter } from 'node:events'
import type { Job, WorkerEvents } from 'graphile-worker'
import { createSemaphore, type Release } from '../concurrency/semaphore.ts'

/** A claim is one short statement. The library repeats refused ones. */
const CLAIM_WAIT_MS = 60_000

/** Keeps a worker free for others. Jobs carry their organization as a flag, and workers skip flags at the limit. */
export function createOrgLimit(perOrg: number, heartbeat: WorkerEvents) {
  const events = new EventEmitter() as WorkerEvents
  const running = new Map<string, number>()
  /** Concurrent claims wouldn't count each other's jobs. */
  const claims = createSemaphore({ name: 'claims', permits: 1, waitMs: CLAIM_WAIT_MS })
  let endClaim: Release = () => {}

  function count(job: Job, change: 1 | -1): void {
    for (const flag of Object.keys(job.flags ?? {})) {
      const jobs = (running.get(flag) ?? 0) + change
      if (jobs === 0) running.delete(flag)
      else running.set(flag, jobs)
    }
  }

  events.on('worker:create', (event) => heartbeat.emit('worker:create', event))
  events.on('worker:stop', (event) => heartbeat.emit('worker:stop', event))
  events.on('worker:getJob:empty', () => endClaim())
  events.on('worker:getJob:error', () => endClaim())
  events.on('job:start', ({ job }) => {
    count(job, 1)
    endClaim()
  })
  events.on('job:complete', ({ job }) => count(job, -1))

  return {
    events,
    /** Begins a claim, which ends with a job, no job or an error. */
    async forbiddenFlags(): Promise<string[]> {
      endClaim = await claims.acquire('lane')
      return [...running].filter(([, jobs]) => jobs >= perOrg).map(([flag]) => flag)
    },
  }
}

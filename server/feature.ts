import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Capability, JobContext } from './context.ts'
import type { Pool } from './database/database.ts'
import type { Route } from './endpoint/route.ts'
import type { SocketRoute } from './endpoint/socket-route.ts'
import { defineHook, type HookUser } from './hooks.ts'
import type { JobHandler } from './jobs/job-handler.ts'
import type { BackgroundTask, Schedule } from './jobs/worker.ts'
import type { Tracer } from './observability/tracing.ts'
import type { DatabaseClock } from './processes/database-clock.ts'
import type { Suspensions } from './suspensions/suspensions.ts'

/** Exported by its public module `features/group/x/x.ts` and listed in `features.ts`. */
export interface Feature extends HookUser {
  routes: Route[]
  /** WebSockets, which the contract can't declare. */
  sockets?: SocketRoute[]
  jobs?: JobHandler[]
  schedules?: Schedule[]
  /** Starts background work beside the job worker, in processes that run jobs. */
  start?: (runtime: WorkerRuntime) => Promise<BackgroundTask>
  /** Runs at boot when no other process uses the database, to release killed processes' jobs and leases. */
  recover?: (pool: Pool, now: Date) => Promise<void>
  metrics?: (registry: Registry, pool: Pool) => void
  /** Runs when the server stops, after all streams have ended. */
  close?: () => void
}

/**
 * Deletes at most `limit` rows, in one transaction, and returns how many. Repeated until it returns 0. Every feature
 * with a project content table fills it; the project's row stays. Features below the projects fill it too, so it's
 * declared here.
 */
export const emptyProject = defineHook<EmptyProject>('emptyProject')

export type EmptyProject = (
  ctx: JobContext<Capability>,
  project: { orgId: string; id: string },
  limit: number,
) => Promise<number>

export interface WorkerRuntime {
  pool: Pool
  context: () => JobContext<Capability>
  /** Nothing is claimed while the clock is wrong. */
  clock: Pick<DatabaseClock, 'isRight' | 'onChange'>
  suspensions: Suspensions
  log: Logger
  /** Null or absent while no traces are sent. */
  tracer?: Tracer | null
}

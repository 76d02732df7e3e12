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

/** Everything a feature adds to the server, exported by its public module `features/group/x/x.ts` and listed in `features.ts`. */
export interface Feature extends HookUser {
  routes: Route[]
  /** WebSockets, which the contract cannot declare. */
  sockets?: SocketRoute[]
  jobs?: JobHandler[]
  schedules?: Schedule[]
  /** Starts background work beside the job worker, in processes that run jobs. */
  start?: (runtime: WorkerRuntime) => Promise<BackgroundTask>
  /** Runs at boot when no other process uses the database: releases jobs and leases of killed processes. */
  recover?: (pool: Pool, now: Date) => Promise<void>
  /** Adds metrics of the feature, which the server exposes. */
  metrics?: (registry: Registry, pool: Pool) => void
  /** Runs when the server stops, after all streams have ended. */
  close?: () => void
}

/**
 * Deletes at most `limit` rows of a purged project, in one transaction, and returns how many. Repeated until it returns 0.
 * Every feature with a table for content of projects fills it; the row of the project stays. Features below the projects
 * fill it too, so it's declared here.
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

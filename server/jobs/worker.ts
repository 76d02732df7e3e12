import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Logger as JobLogger,
  Logger,
  parseCronItems,
  run,
  runMigrations,
  type TaskList,
} from 'graphile-worker'
import type { Logger as Log } from 'pino'
import type { JobContext } from '../context.ts'
import type { Connection } from '../database/connection.ts'
import type { Pool } from '../database/database.ts'
import { newId } from '../security/ids.ts'
import { declaredJobs, type Job, type JobHandler } from './job.ts'
import { startHeartbeat } from './worker-heartbeat.ts'

const CONCURRENCY = 5
/** A job still running this long after a stop was asked for is left to the next worker. */
const DRAIN_MS = 30_000
const GONE_WITHIN_MS = 2000
const GONE_POLL_MS = 20

export interface Schedule {
  job: Job
  /** Five fields, UTC. */
  cron: string
}

export interface Worker {
  stop: () => Promise<void>
}

interface WorkerOptions {
  connection: Connection
  pool: Pool
  context: () => JobContext
  handlers: JobHandler[]
  schedules: Schedule[]
  log: Log
}

/** Runs jobs until stopped; a stop lets running jobs finish. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const heartbeat = await startHeartbeat(options.pool, options.log)
  const name = `atrium worker ${newId()}`
  const runner = await run({
    connectionString: connectionString(options.connection, name),
    concurrency: CONCURRENCY,
    maxPoolSize: CONCURRENCY + 2,
    pollInterval: 1000,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: DRAIN_MS,
    taskList: taskList(options),
    parsedCronItems: parseCronItems(
      options.schedules.map(({ job, cron }) => ({ task: job.name, match: cron })),
    ),
    logger: jobLogger(options.log),
    events: heartbeat.events,
  })
  return {
    async stop() {
      await runner.stop()
      await connectionsGone(options.pool, name)
      await heartbeat.stop()
    },
  }
}

/** The job tables, which the api role needs too: it enqueues. */
export async function migrateJobs(pool: Pool, connection: Connection, log: Log): Promise<void> {
  const name = `atrium migrations ${newId()}`
  await runMigrations({ connectionString: connectionString(connection, name), logger: jobLogger(log) })
  await connectionsGone(pool, name)
}

/** Stops the boot, by name, when a declared job has no handler. */
export function checkJobs(handlers: JobHandler[]): void {
  const handled = new Set(handlers.map(({ job }) => job.name))
  const missing = [...declaredJobs.keys()].filter((name) => !handled.has(name))
  if (missing.length > 0) throw new Error(`No handler for the job ${missing.join(', ')}`)
}

function taskList({ handlers, context }: WorkerOptions): TaskList {
  return Object.fromEntries(
    handlers.map(({ job, run }) => [
      job.name,
      // Scheduled runs carry a `_cron` note beside the payload, which a schema without it drops.
      async (payload) => run(context(), job.payload.parse(payload) as never),
    ]),
  )
}

/**
 * The library ends its connections without waiting for it, and no longer listens for their errors: a database that
 * stops at that moment would bring this process down.
 */
async function connectionsGone(pool: Pool, name: string): Promise<void> {
  for (let waited = 0; waited < GONE_WITHIN_MS; waited += GONE_POLL_MS) {
    const left = await pool`select from pg_stat_activity where application_name = ${name}`
    if (left.length === 0) return
    await sleep(GONE_POLL_MS)
  }
}

function connectionString(connection: Connection, name: string): string {
  const url = typeof connection === 'string' ? connection : socketUrl(connection)
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(name)}`
}

const socketUrl = ({ host, port, user, password, database }: Exclude<Connection, string>) =>
  `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`

function jobLogger(log: Log): JobLogger {
  return new Logger((scope) => (level, message, meta) => {
    const error = meta?.error
    if (level === 'error') log.error({ ...scope, err: error }, message)
    else if (level === 'warning') log.warn(scope, message)
    else log.debug(scope, message)
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Logger as JobLogger,
  Logger,
  parseCronItems,
  type RunnerOptions,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type { Logger as Log } from 'pino'
import { createCoalescedTask } from '../concurrency/coalesced-task.ts'
import type { Capability, JobContext } from '../context.ts'
import type { Connection } from '../database/connection.ts'
import type { Pool } from '../database/database.ts'
import type { JobCounter } from '../observability/metrics.ts'
import { inTrace, type Tracer } from '../observability/tracing.ts'
import type { DatabaseClock } from '../processes/database-clock.ts'
import { newId } from '../security/ids.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'
import { declaredJobs, type Job, jobFlag, jobIdentifiers, LANES, type Lane, TRACE_FIELD } from './job.ts'
import type { JobHandler } from './job-handler.ts'
import { endJobPool, openJobPool } from './job-pool.ts'
import { createOrgLimit } from './org-limit.ts'
import { type Poller, startPoller } from './poller.ts'
import { startHeartbeat } from './worker-heartbeat.ts'

/** Jobs still running then are left to the next worker. */
const DRAIN_MS = 30_000
const POLL_MS = 1000
/** Library workers each send a statement, so our single poll nudges them. */
const LIBRARY_POLL_MS = 60_000
const DISCONNECT_TIMEOUT_MS = 2000
const DISCONNECT_POLL_MS = 20
/** Arbitrary. */
const INDEX_LOCK_ID = 7_164_252

export interface Schedule {
  job: Job
  /** Five fields, UTC. */
  cron: string
}

export interface BackgroundTask {
  stop: () => Promise<void>
}

interface WorkerOptions {
  connection: Connection
  /** Of the job library's connections. */
  connectionShare?: number | undefined
  pool: Pool
  context: () => JobContext<Capability>
  clock: Pick<DatabaseClock, 'isRight' | 'onChange'>
  handlers: JobHandler[]
  schedules: Schedule[]
  suspensions: Pick<Suspensions, 'list'>
  log: Log
  tracer?: Tracer | null
  counter?: JobCounter
}

export async function startWorker(options: WorkerOptions): Promise<BackgroundTask> {
  const heartbeat = await startHeartbeat(options.pool, options.log)
  const name = `atrium worker ${newId()}`
  const jobPool = openJobPool(options.connection, name, options.log, options.connectionShare)
  const lanes = Object.keys(LANES) as Lane[]
  let poller: Poller | undefined
  const onLaterJob = () => poller?.resume()
  const runners = await startWhileRight(options, () =>
    Promise.all(lanes.map((lane) => startLane(lane, jobPool, heartbeat.events, options, onLaterJob))),
  )
  poller = await startPoller({
    name: 'jobs',
    pool: options.pool,
    log: options.log,
    pollMs: POLL_MS,
    waiting: (sql) => sql`
      select true from graphile_worker._private_jobs where is_available order by priority, run_at limit 1`,
    async poll() {
      if (await hasDueJob(options.pool)) runners.nudge()
      return false
    },
  })
  return {
    async stop() {
      await poller.stop()
      await runners.stop()
      await endJobPool(jobPool)
      await waitForDisconnect(options.pool, name)
      await heartbeat.stop()
    },
  }
}

/** Cron and retries depend on this process's clock. */
async function startWhileRight(
  { clock, log }: WorkerOptions,
  start: () => Promise<Awaited<ReturnType<typeof startLane>>[]>,
) {
  let runners: Awaited<ReturnType<typeof start>> | null = null
  let isStopped = false
  const stopRunners = async () => {
    const running = runners ?? []
    runners = null
    await Promise.all(running.map(async (runner) => runner?.stop()))
  }
  const changes = createCoalescedTask(
    async () => {
      const shouldRun = !isStopped && clock.isRight()
      if (shouldRun && !runners) runners = await start()
      if (!shouldRun && runners) await stopRunners()
    },
    (err) => log.error({ err }, 'could not start or stop the job lanes'),
  )
  if (clock.isRight()) runners = await start()
  const unsubscribe = clock.onChange(() => changes.schedule())
  return {
    nudge() {
      for (const runner of runners ?? []) runner?.nudge()
    },
    async stop() {
      isStopped = true
      unsubscribe()
      await changes.untilIdle()
      await stopRunners()
    },
  }
}

/** A runner takes only jobs in its task list. */
async function startLane(
  lane: Lane,
  pgPool: ReturnType<typeof openJobPool>,
  heartbeat: WorkerEvents,
  options: WorkerOptions,
  onLaterJob: () => void,
) {
  const isInLane = ({ job }: { job: Job }) => (job.lane ?? 'default') === lane
  const handlers = options.handlers.filter(isInLane)
  if (handlers.length === 0) return null
  const schedules = options.schedules.filter(isInLane)
  const concurrency = LANES[lane]
  const orgLimit = createOrgLimit(Math.max(1, concurrency - 1), heartbeat)
  const runnerOptions: RunnerOptions = {
    pgPool,
    concurrency,
    pollInterval: LIBRARY_POLL_MS,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: DRAIN_MS,
    taskList: taskList(handlers, options),
    parsedCronItems: parseCronItems(schedules.map(({ job, cron }) => ({ task: job.name, match: cron }))),
    logger: jobLogger(options.log),
    events: orgLimit.events,
    forbiddenFlags: async () => [...(await orgLimit.forbiddenFlags()), ...suspendedFlags(lane, options)],
  }
  let nudge = () => {}
  orgLimit.events.on('pool:create', ({ workerPool }) => {
    nudge = () => workerPool.nudge(concurrency)
  })
  // A new job may be due later, and a failed one is.
  orgLimit.events.on('pool:listen:notification', onLaterJob)
  orgLimit.events.on('job:error', onLaterJob)
  const runner = await run(runnerOptions)
  return {
    nudge: () => nudge(),
    async stop() {
      nudge = () => {}
      await runner.stop()
      clearOptions(runnerOptions)
    },
  }
}

/** The library references a stopped runner's options, and so the server, until the process ends. */
function clearOptions(runnerOptions: RunnerOptions): void {
  runnerOptions.events!.removeAllListeners()
  for (const options of [runnerOptions.taskList!, runnerOptions])
    for (const name of Object.keys(options)) delete options[name as keyof typeof options]
}

/** Wait during suspensions. Other lanes sign users in and remove deleted records. */
const WAITING_LANES: readonly Lane[] = ['default', 'mail']

const suspendedFlags = (lane: Lane, { suspensions }: WorkerOptions): string[] =>
  WAITING_LANES.includes(lane) ? suspensions.list().map((orgId) => jobFlag(lane, orgId)) : []

/** Request-only processes need the tables too, to enqueue. */
export async function migrateJobs(pool: Pool, connection: Connection, log: Log): Promise<void> {
  const name = `atrium migrations ${newId()}`
  const pgPool = openJobPool(connection, name, log)
  await runMigrations({ pgPool, logger: jobLogger(log) }).finally(() => endJobPool(pgPool))
  await indexJobs(pool)
  await waitForDisconnect(pool, name)
}

/** Keeps enqueueing and finding dead jobs fast despite a backlog. Concurrent starts would fail without the lock. */
async function indexJobs(pool: Pool): Promise<void> {
  await pool.begin(async (inside) => {
    await inside`select pg_advisory_xact_lock(${INDEX_LOCK_ID})`
    await inside`
      create index if not exists atrium_jobs_flags on graphile_worker._private_jobs (flags) where flags is not null`
    await inside`
      create index if not exists atrium_jobs_dead on graphile_worker._private_jobs (run_at, id)
      where attempts >= max_attempts`
  })
}

/** Throws at startup if a declared job has no handler. */
export function checkJobs(handlers: JobHandler[]): void {
  const handled = new Set(handlers.map(({ job }) => job.name))
  const missing = [...declaredJobs.keys()].filter((name) => !handled.has(name))
  if (missing.length > 0) throw new Error(`No handler for the job ${missing.join(', ')}`)
}

function taskList(
  handlers: JobHandler[],
  { context, tracer = null, counter }: Pick<WorkerOptions, 'context' | 'tracer' | 'counter'>,
): TaskList {
  const countOutcome: JobCounter['countOutcome'] = counter?.countOutcome ?? ((_task, work) => work())
  return Object.fromEntries(
    handlers.flatMap(({ job, run }) =>
      jobIdentifiers(job).map((identifier) => [
        identifier,
        // Scheduled jobs have a `_cron` field beside the payload, which the schema drops.
        async (payload, { job: { attempts } }) =>
          inTrace(
            tracer,
            () => jobSpan(job, payload, attempts),
            () => countOutcome(job.name, async () => run(context(), job.payload.parse(payload) as never)),
          ),
      ]),
    ),
  )
}

function jobSpan({ name, lane = 'default' }: Job, payload: unknown, attempts: number) {
  const { [TRACE_FIELD]: parent, orgId } = payload as { [TRACE_FIELD]?: string; orgId?: string }
  return {
    name: `job ${name}`,
    kind: 'consumer' as const,
    parent: parent ?? null,
    attributes: { 'atrium.job.name': name, 'atrium.job.lane': lane, 'atrium.job.attempt': attempts },
    ...(orgId && { inherited: { 'atrium.organization.id': orgId } }),
  }
}

async function hasDueJob(pool: Pool): Promise<boolean> {
  const rows = await pool`
    select from graphile_worker._private_jobs where is_available and run_at <= now() limit 1`
  return rows.length > 0
}

/** Connections close after their pool ends, and only then can a database be dropped. */
async function waitForDisconnect(pool: Pool, name: string): Promise<void> {
  for (let waited = 0; waited < DISCONNECT_TIMEOUT_MS; waited += DISCONNECT_POLL_MS) {
    const connections = await pool`select from pg_stat_activity where application_name = ${name}`
    if (connections.length === 0) return
    await sleep(DISCONNECT_POLL_MS)
  }
}

function jobLogger(log: Log): JobLogger {
  return new Logger((scope) => (level, message, meta) => {
    const error = meta?.error
    if (level === 'error') log.error({ ...scope, err: error }, message)
    else if (level === 'warning') log.warn(scope, message)
    else log.debug(scope, message)
  })
}

import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Sql } from '../database/database.ts'
import type { DatabaseClock } from '../processes/database-clock.ts'
import { LOAD_WINDOW_S, type Load, type OrganizationLoad } from './load.ts'

const HEARTBEAT_MS = 10_000
const ORGANIZATIONS_SHOWN = 20
export const MISSING_PUBLIC_URL =
  'without ATRIUM_PUBLIC_URL each process puts its own address into emails, callbacks and signed URLs; set it to the URL that users open'

interface HeartbeatOptions {
  sql: Sql
  id: string
  role: string
  version: string
  registry: Registry
  load: Load
  openStreams: () => number
  clock: Pick<DatabaseClock, 'offsetMs'>
  hasPublicUrl: boolean
  mainPid: number | undefined
  onFailure: (error: unknown) => void
  log: Logger
}

/** Lets any process show all processes. */
export async function startHeartbeat(options: HeartbeatOptions) {
  const { sql, id, role, version, log } = options
  const identity = { id, role, version, host: hostname(), pid: process.pid }
  const readFigures = createFiguresReader(options)
  let last: Promise<void> = Promise.resolve()
  const beat = () => {
    last = readFigures()
      .then((figures) => saveProcess(sql, identity, figures))
      .then(warnWithoutUrl)
      .catch((err: unknown) => {
        options.onFailure(err)
        log.warn({ err }, 'could not report this process')
      })
    return last
  }
  let isWarned = options.hasPublicUrl
  async function warnWithoutUrl(): Promise<void> {
    if (isWarned || countAddresses(await listProcesses(sql)) < 2) return
    isWarned = true
    log.warn(`several processes run: ${MISSING_PUBLIC_URL}`)
  }
  const timer = setInterval(() => void beat(), HEARTBEAT_MS)
  await beat()
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await last
      await deleteProcess(sql, id).catch((err: unknown) =>
        log.warn({ err }, 'could not remove this process’s row'),
      )
    },
  }
}

function createFiguresReader({
  registry,
  load,
  openStreams,
  clock,
  hasPublicUrl,
  mainPid,
}: HeartbeatOptions): () => Promise<Figures> {
  const recentOutcomes = createRecentOutcomes(LOAD_WINDOW_S * 1000)
  let utilization = performance.eventLoopUtilization()
  return async () => {
    const { rss, heapUsed } = process.memoryUsage()
    const now = performance.eventLoopUtilization()
    const { utilization: busy } = performance.eventLoopUtilization(now, utilization)
    utilization = now
    return {
      rssBytes: rss,
      heapBytes: heapUsed,
      busy: Math.round(busy * 1000) / 1000,
      openStreams: openStreams(),
      clockOffsetMs: clock.offsetMs(),
      hasPublicUrl,
      mainPid,
      outcomes: recentOutcomes(await readOutcomes(registry)),
      organizations: load.largest(ORGANIZATIONS_SHOWN),
    }
  }
}

interface Outcomes {
  requests: Outcome
  jobs: Outcome
  deliveries: Outcome
  modelCalls: Outcome
  /** Reads a standby may run. Failed: the primary ran them. Absent in older versions' rows. */
  standbyReads?: Outcome
}

interface Outcome {
  total: number
  failed: number
}

type Labels = Partial<Record<string, string | number>>

const SOURCES: Record<keyof Outcomes, { metric: string; isFailed: (labels: Labels) => boolean }> = {
  requests: {
    metric: 'atrium_http_request_duration_seconds',
    isFailed: ({ status }) => Number(status) >= 500,
  },
  jobs: { metric: 'atrium_jobs_finished_total', isFailed: ({ outcome }) => outcome === 'failed' },
  deliveries: {
    metric: 'atrium_webhook_attempts_total',
    isFailed: ({ outcome }) => outcome === 'failed',
  },
  modelCalls: { metric: 'atrium_agent_steps_total', isFailed: ({ state }) => state === 'failed' },
  standbyReads: { metric: 'atrium_standby_reads_total', isFailed: ({ outcome }) => outcome !== 'standby' },
}

/** Reads no table: these metrics count in memory. */
async function readOutcomes(registry: Registry): Promise<Required<Outcomes>> {
  const entries = Object.entries(SOURCES).map(async ([name, { metric, isFailed }]) => {
    const found = await registry.getSingleMetric(metric)?.get()
    const sum = { total: 0, failed: 0 }
    for (const { labels, value, metricName } of (found?.values ?? []) as Sample[]) {
      if (metricName !== undefined && metricName !== `${metric}_count`) continue
      sum.total += value
      if (isFailed(labels)) sum.failed += value
    }
    return [name, sum]
  })
  return Object.fromEntries(await Promise.all(entries))
}

interface Sample {
  labels: Labels
  value: number
  metricName?: string
}

const NONE: Outcome = { total: 0, failed: 0 }
const AT_START: Required<Outcomes> = {
  requests: NONE,
  jobs: NONE,
  deliveries: NONE,
  modelCalls: NONE,
  standbyReads: NONE,
}

/** From counts since process start. */
function createRecentOutcomes(windowMs: number, now: () => number = Date.now) {
  let samples = [{ at: now(), outcomes: AT_START }]
  return (outcomes: Required<Outcomes>): Required<Outcomes> => {
    const at = now()
    const first = samples.findLastIndex((sample) => sample.at <= at - windowMs)
    samples = [...samples.slice(Math.max(0, first)), { at, outcomes }]
    const before = samples[0]!.outcomes
    const since = (name: keyof Outcomes): Outcome => ({
      total: outcomes[name].total - before[name].total,
      failed: outcomes[name].failed - before[name].failed,
    })
    return {
      requests: since('requests'),
      jobs: since('jobs'),
      deliveries: since('deliveries'),
      modelCalls: since('modelCalls'),
      standbyReads: since('standbyReads'),
    }
  }
}

interface Figures {
  rssBytes: number
  heapBytes: number
  /** Event loop utilization since the last heartbeat (0–1). */
  busy: number
  openStreams: number
  /** Ahead of the database. Absent in older versions' rows. */
  clockOffsetMs?: number
  /** Absent in older versions' rows. */
  hasPublicUrl?: boolean
  /** Of the process that started it, if it shares a port. */
  mainPid?: number | undefined
  /** Last five minutes. */
  outcomes: Outcomes
  organizations: OrganizationLoad[]
}

interface ProcessIdentity {
  id: string
  role: string
  version: string
  host: string
  pid: number
}

export interface ProcessRow extends ProcessIdentity {
  startedAt: string
  seenAt: string
  isAlive: boolean
  figures: Figures
}

/** Three missed heartbeats. Workers count as dead after the same time. */
const DEAD_AFTER_S = 30
const KEPT_HOURS = 1
const LISTED_MAX = 100

type Reported = Pick<ProcessRow, 'id' | 'host' | 'isAlive' | 'startedAt' | 'seenAt'> & {
  figures: Pick<Figures, 'mainPid'>
}

/**
 * A process that was killed counts as alive until its row is 30 seconds old, also if another was started in its place.
 * Processes that run together have all reported since the newest started.
 */
export function runningTogether<T extends Pick<Reported, 'isAlive' | 'startedAt' | 'seenAt'>>(
  processes: readonly T[],
): T[] {
  const alive = processes.filter(({ isAlive }) => isAlive)
  const newest = Math.max(...alive.map(({ startedAt }) => Date.parse(startedAt)))
  return alive.filter(({ seenAt }) => Date.parse(seenAt) >= newest)
}

/** Those with `ATRIUM_PROCESSES` share one. */
export const countAddresses = (processes: readonly Reported[]): number =>
  new Set(
    runningTogether(processes).map(({ id, host, figures: { mainPid } }) =>
      mainPid ? `${host} ${mainPid}` : id,
    ),
  ).size

async function saveProcess(sql: Sql, process: ProcessIdentity, figures: Figures): Promise<void> {
  const { id, role, version, host, pid } = process
  await sql`
    with old as (delete from server_processes where seen_at < now() - make_interval(hours => ${KEPT_HOURS}))
    insert into server_processes (id, role, version, host, pid, started_at, seen_at, figures)
    values (${id}, ${role}, ${version}, ${host}, ${pid}, now(), now(), ${sql.json(figures as never)})
    on conflict (id) do update set seen_at = now(), figures = excluded.figures`
}

async function deleteProcess(sql: Sql, id: string): Promise<void> {
  await sql`delete from server_processes where id = ${id}`
}

export const listProcesses = (sql: Sql) => sql<ProcessRow[]>`
  select id, role, version, host, pid, started_at as "startedAt", seen_at as "seenAt",
    seen_at > now() - make_interval(secs => ${DEAD_AFTER_S}) as "isAlive", figures
  from server_processes order by started_at, id limit ${LISTED_MAX}`

import {
  type Aggregator,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from 'prom-client'
import { lazy } from '../concurrency/lazy.ts'
import type { Pool } from '../database/database.ts'
import { READ_OUTCOMES, type Standby } from '../database/standby/standby.ts'

export interface Metrics {
  registry: Registry
  requests: Durations
  toolCalls: Durations
}

/** For what every process reads from the database or the disk: processes that share a port don't add it up. */
export const SAME_EVERYWHERE = 'max'

/** These observe the process until it ends: a set per server would keep closed servers in memory. */
const processMetrics = lazy((): Metric[] => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const metrics = registry.getMetricsAsArray() as unknown as (Metric & { aggregator?: Aggregator })[]
  // The library's average of several processes would hide one that is blocked.
  for (const metric of metrics) if (metric.aggregator === 'average') metric.aggregator = 'max'
  return metrics
})

interface MetricsSources {
  pool: Pool
  applicationName: string
  connectionsMax: number
  openStreams: () => number
}

/** Jobs and connections are counted when scraped. */
export function createMetrics({
  pool,
  applicationName,
  connectionsMax,
  openStreams,
}: MetricsSources): Metrics {
  const registry = new Registry()
  for (const metric of processMetrics()) registry.registerMetric(metric)
  const requests = createDurations(
    registry,
    'atrium_http_request_duration_seconds',
    'Time from request arrival to response end',
    ['method', 'route', 'status'],
  )
  const toolCalls = createDurations(
    registry,
    'atrium_mcp_call_duration_seconds',
    'MCP server tool call duration, by tool and outcome (ok, error)',
    ['tool', 'outcome'],
  )
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    collect: (self: Gauge) => Promise<void>,
    aggregator: Aggregator = 'sum',
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      aggregator,
      registers: [registry],
      async collect() {
        this.reset()
        await collect(this)
      },
    })
  const readJobs = async (self: Gauge) => {
    const rows = await pool<{ task: string; state: string; count: number }[]>`
      select task_identifier as task, count(*), case
        when locked_at is not null then 'running' when attempts >= max_attempts then 'dead'
        when attempts > 0 then 'retrying' else 'waiting' end as state
      from graphile_worker.jobs group by 1, 3`
    for (const { task, state, count } of rows) self.set({ task, state }, count)
  }
  gauge('atrium_jobs', 'Jobs by task and state', ['task', 'state'], readJobs, SAME_EVERYWHERE)
  const readLag = async (self: Gauge) => {
    const [row] = await pool<{ lag: number }[]>`
      select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as lag from graphile_worker.jobs
      where run_at <= now() and locked_at is null and attempts < max_attempts`
    self.set(row?.lag ?? 0)
  }
  gauge('atrium_jobs_lag_seconds', 'Age of the oldest job that is ready to run', [], readLag, SAME_EVERYWHERE)
  gauge('atrium_database_connections', 'This process’s connections by state', ['state'], async (self) => {
    const rows = await pool<{ state: string; count: number }[]>`
      select coalesce(state, 'starting') as state, count(*) from pg_stat_activity
      where application_name = ${applicationName} group by 1`
    for (const { state, count } of rows) self.set({ state }, count)
  })
  gauge('atrium_live_streams', 'Open server-sent event streams', [], async (self) => self.set(openStreams()))
  new Gauge({
    name: 'atrium_database_connections_max',
    help: 'Maximum connections for this process',
    registers: [registry],
  }).set(connectionsMax)
  return { registry, requests, toolCalls }
}

export function createJobCounter() {
  const finished = new Counter({
    name: 'atrium_jobs_finished_total',
    help: 'Job runs by task and outcome (succeeded, failed); a failed one is retried until it is dead',
    labelNames: ['task', 'outcome'],
    registers: [],
  })
  return {
    metric: finished,
    countOutcome: async <T>(task: string, work: () => Promise<T>): Promise<T> => {
      try {
        const result = await work()
        finished.inc({ task, outcome: 'succeeded' })
        return result
      } catch (error) {
        finished.inc({ task, outcome: 'failed' })
        throw error
      }
    },
  }
}

export type JobCounter = ReturnType<typeof createJobCounter>

/** Only a server with DATABASE_READ_URL has a standby. */
export function registerStandby(registry: Registry, standby: Standby): void {
  new Counter({
    name: 'atrium_standby_reads_total',
    help: 'Reads that a standby may run, by outcome: standby, or why the primary ran them (lag, failure, paused, busy, write)',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      const counts = standby.counts()
      for (const outcome of READ_OUTCOMES) this.inc({ outcome }, counts[outcome])
    },
  })
  const behind = new Gauge({
    name: 'atrium_standby_behind_bytes',
    help: 'Primary log that the standby has not replayed; absent if the standby does not respond',
    aggregator: SAME_EVERYWHERE,
    registers: [registry],
    async collect() {
      const lag = await standby.lag()
      behind.remove()
      if (lag) behind.set(lag.bytes)
    },
  })
}

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Each is 15 lines in /metrics. Beyond this, durations share one. */
const SERIES_MAX = 1000
const OTHER = 'other'

type Label = string | number

type Durations = ReturnType<typeof createDurations>

export function createDurations(registry: Registry, name: string, help: string, labelNames: string[]) {
  const histogram = new Histogram({ name, help, labelNames, buckets: BOUNDS, registers: [registry] })
  const series = new Set<string>()
  return {
    observe(values: readonly Label[], seconds: number): void {
      const key = values.join(' ')
      const isCounted = series.has(key) || series.size < SERIES_MAX
      if (isCounted) series.add(key)
      const labels = isCounted ? values.map(String) : values.map(() => OTHER)
      histogram.labels(...labels).observe(seconds)
    },
  }
}

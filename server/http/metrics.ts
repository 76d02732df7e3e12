import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { lazy } from '../concurrency/lazy.ts'
import type { Pool } from '../database/database.ts'
import { CONNECTIONS_MAX } from '../database/pools.ts'
import { notFound, unauthorized } from '../errors.ts'
import { sameSecret } from '../security/digest.ts'
import { DurationHistogram } from './telemetry/duration-histogram.ts'

export interface Metrics {
  registry: Registry
  requests: DurationHistogram
  /** Calls of the tools of the MCP server. */
  toolCalls: DurationHistogram
}

/**
 * Memory, garbage collection and delays of the event loop. They observe the process until it ends, so a process has one
 * set of them for all servers: a set per server would keep each closed server in memory.
 */
const processMetrics = lazy((): Metric[] => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry.getMetricsAsArray() as unknown as Metric[]
})

/**
 * Durations are recorded per response and per tool call; jobs and connections are counted when a scraper reads the
 * metrics.
 */
export function createMetrics(pool: Pool, applicationName: string, openStreams: () => number): Metrics {
  const registry = new Registry()
  for (const metric of processMetrics()) registry.registerMetric(metric)
  const requests = new DurationHistogram(
    'atrium_http_request_duration_seconds',
    'Time from the arrival of a request to the end of its response',
    ['method', 'route', 'status'],
  )
  const toolCalls = new DurationHistogram(
    'atrium_mcp_call_duration_seconds',
    'Duration of a tool call of the MCP server, by tool and outcome (ok, error)',
    ['tool', 'outcome'],
  )
  for (const durations of [requests, toolCalls]) registry.registerMetric(durations as unknown as Metric)
  const gauge = (name: string, help: string, labelNames: string[], collect: (self: Gauge) => Promise<void>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset()
        await collect(this)
      },
    })
  gauge('atrium_jobs', 'Jobs by task and state', ['task', 'state'], async (self) => {
    const rows = await pool<{ task: string; state: string; count: number }[]>`
      select task_identifier as task, count(*), case
        when locked_at is not null then 'running' when attempts >= max_attempts then 'dead'
        when attempts > 0 then 'retrying' else 'waiting' end as state
      from graphile_worker.jobs group by 1, 3`
    for (const { task, state, count } of rows) self.set({ task, state }, count)
  })
  gauge('atrium_jobs_lag_seconds', 'Age of the oldest job that is ready to run', [], async (self) => {
    const [row] = await pool<{ lag: number }[]>`
      select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as lag from graphile_worker.jobs
      where run_at <= now() and locked_at is null and attempts < max_attempts`
    self.set(row?.lag ?? 0)
  })
  gauge('atrium_database_connections', 'Connections of this process by state', ['state'], async (self) => {
    const rows = await pool<{ state: string; count: number }[]>`
      select coalesce(state, 'starting') as state, count(*) from pg_stat_activity
      where application_name = ${applicationName} group by 1`
    for (const { state, count } of rows) self.set({ state }, count)
  })
  gauge('atrium_live_streams', 'Open server-sent event streams', [], async (self) => self.set(openStreams()))
  new Gauge({
    name: 'atrium_database_connections_max',
    help: 'Maximum number of connections of this process',
    registers: [registry],
  }).set(CONNECTIONS_MAX)
  return { registry, requests, toolCalls }
}

/** Restricted to loopback connections, unless a token is configured, which is then always required. */
export function serveMetrics(
  http: FastifyInstance,
  options: { metrics: Metrics; metricsToken: string | null },
): void {
  http.get('/metrics', async (request, reply) => {
    if (options.metricsToken) {
      const token = request.headers.authorization?.replace(/^Bearer /i, '') ?? ''
      if (!sameSecret(token, options.metricsToken))
        throw unauthorized('The metrics token is missing or wrong')
    } else if (!isLocal(request)) {
      throw notFound('GET /metrics')
    }
    return reply.type(options.metrics.registry.contentType).send(await options.metrics.registry.metrics())
  })
}

const LOOPBACK_PEER = /^(127\.|::1$|::ffff:127\.)/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

/**
 * A reverse proxy on this machine also connects from loopback; the headers that it adds reveal it. A web page whose name
 * resolves to loopback (DNS rebinding) connects from here too; the host that its browser sends reveals it.
 */
function isLocal(request: FastifyRequest): boolean {
  const peer = request.socket.remoteAddress ?? ''
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some(
    (name) => request.headers[name],
  )
  return !isForwarded && LOOPBACK_PEER.test(peer) && LOOPBACK_HOST.test(request.headers.host ?? '')
}

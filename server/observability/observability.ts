import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import atrium from '../../package.json' with { type: 'json' }
import type { Config } from '../config/config.ts'
import type { Pool } from '../database/database.ts'
import { applicationName, countConnections } from '../database/pools.ts'
import type { Standby } from '../database/standby/standby.ts'
import type { Feature } from '../feature.ts'
import type { DatabaseClock } from '../processes/database-clock.ts'
import { startHeartbeat } from './heartbeat.ts'
import { createLoad } from './load.ts'
import { createJobCounter, createMetrics, registerStandby } from './metrics.ts'
import { openTelemetry, type Telemetry } from './telemetry.ts'

interface ObservabilityOptions {
  config: Config
  processId: string
  mainPid: number | undefined
  connectionShare: number | undefined
  pool: Pool
  background: Pool
  standby: Standby | null
  features: Feature[]
  openStreams: () => number
  clock: Pick<DatabaseClock, 'offsetMs'>
  onFailure: (error: unknown) => void
  log: Logger
}

export async function openObservability(options: ObservabilityOptions) {
  const { config, processId, pool, background, standby, features, openStreams, clock, onFailure, log } =
    options
  const { role } = config
  const telemetry = await openTelemetry(config.telemetry, {
    version: atrium.version,
    instanceId: processId,
    role,
    log,
  })
  const metrics = createMetrics({
    pool,
    applicationName: applicationName(processId),
    connectionsMax: countConnections(options.connectionShare),
    openStreams,
  })
  const { registry } = metrics
  const counter = createJobCounter()
  registry.registerMetric(counter.metric as never)
  for (const feature of features) feature.metrics?.(registry, pool)
  if (standby) registerStandby(registry, standby)
  countSpans(registry, telemetry)
  telemetry.sendMetrics(registry)
  const load = createLoad()
  const { tracer } = telemetry
  const trustedNetworks = config.telemetry?.trustedNetworks ?? []
  let heartbeat: Awaited<ReturnType<typeof startHeartbeat>> | null = null

  return {
    http: { metrics, load, tracing: tracer && { tracer, trustedNetworks } },
    jobs: { tracer, counter },
    async startHeartbeat(): Promise<void> {
      const identity = { id: processId, role, version: atrium.version }
      heartbeat ??= await startHeartbeat({
        sql: background,
        ...identity,
        registry,
        load,
        openStreams,
        clock,
        hasPublicUrl: config.publicUrl !== null,
        mainPid: options.mainPid,
        onFailure,
        log,
      })
    },
    /** Before connections close: the last metrics come from the database. */
    async close(): Promise<void> {
      await heartbeat?.stop()
      await telemetry.close()
    },
  }
}

/** Only while traces are sent. */
function countSpans(registry: Registry, { tracer, spans }: Telemetry): void {
  if (!tracer) return
  new Counter({
    name: 'atrium_trace_spans_total',
    help: 'Spans by outcome: sent, dropped (the queue was full), failed (the collector did not accept them)',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(spans() ?? {})) this.inc({ outcome }, count)
    },
  })
}

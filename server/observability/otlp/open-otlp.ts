import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type { OtlpTarget, TelemetryConfig } from '../../config/telemetry.ts'
import type { Telemetry, TelemetryOptions } from '../telemetry.ts'
import { createMetricProducer } from './metric-producer.ts'
import { createSpanQueue } from './span-queue.ts'
import { createTracer } from './tracer.ts'

const CLOSE_MS_MAX = 3000
const WARNING_INTERVAL_MS = 60_000

export function openOtlp(config: TelemetryConfig, options: TelemetryOptions): Telemetry {
  const { version, instanceId, role } = options
  const resource = resourceFromAttributes({
    'service.version': version,
    'service.instance.id': instanceId,
    'atrium.role': role,
    ...config.resource,
  })
  const warn = createWarning(options)
  const queue =
    config.traces &&
    createSpanQueue(new OTLPTraceExporter(exporterOptions(config.traces)), config.queue, warn)
  let meters: MeterProvider | null = null
  return {
    tracer: queue && createTracer(config, resource, queue, version),
    spans: () => queue?.counts ?? null,
    sendMetrics(registry) {
      if (!config.metrics) return
      const exporter = new OTLPMetricExporter(exporterOptions(config.metrics))
      meters = meterProvider(exporter, config.metrics, resource, [
        createMetricProducer(registry, resource, version),
      ])
    },
    async close() {
      const sendLastSpans = async () => queue?.shutdown()
      const sendLastMetrics = async () => meters?.shutdown({ timeoutMillis: CLOSE_MS_MAX })
      await Promise.race([Promise.allSettled([sendLastSpans(), sendLastMetrics()]), delay(CLOSE_MS_MAX)])
    },
  }
}

const meterProvider = (
  exporter: OTLPMetricExporter,
  { intervalMs, timeoutMs }: NonNullable<TelemetryConfig['metrics']>,
  resource: Resource,
  metricProducers: ReturnType<typeof createMetricProducer>[],
) =>
  new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: intervalMs,
        exportTimeoutMillis: Math.min(intervalMs, timeoutMs),
        metricProducers,
      }),
    ],
  })

const exporterOptions = ({ url, headers, timeoutMs, gzip }: OtlpTarget) => ({
  url,
  headers,
  timeoutMillis: timeoutMs,
  concurrencyLimit: 1,
  // The package's main module doesn't export this enum.
  compression: (gzip ? 'gzip' : 'none') as never,
})

/** Omits the message, which may contain request headers. */
function createWarning({ log }: TelemetryOptions) {
  let warnedAt = Number.NEGATIVE_INFINITY
  return (error: unknown) => {
    if (performance.now() - warnedAt < WARNING_INTERVAL_MS) return
    warnedAt = performance.now()
    const { code, name } = (error ?? {}) as { code?: unknown; name?: string }
    log.warn({ code, name }, 'the trace collector did not accept spans')
  }
}

const delay = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })

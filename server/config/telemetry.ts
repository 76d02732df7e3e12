import { z } from 'zod'
import { networkList, oneOf, optionalBaseUrl, toCidr } from './fields.ts'

/** From OpenTelemetry's standard variables. */
export interface TelemetryConfig {
  traces: OtlpTarget | null
  metrics: (OtlpTarget & { intervalMs: number }) | null
  /** `service.name` and the operator's attributes. */
  resource: Record<string, string>
  /** Fraction of traces recorded, and whether to keep a caller's decision. */
  sampler: { ratio: number; followsParent: boolean }
  queue: { spansMax: number; batchMax: number; delayMs: number }
  /** Whether spans include prompts, answers, and tool inputs and outputs. */
  capturesContent: boolean
  /** A `traceparent` from these networks continues a trace. In CIDR notation. */
  trustedNetworks: string[]
}

export interface OtlpTarget {
  url: string
  headers: Record<string, string>
  timeoutMs: number
  gzip: boolean
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const PAIRS = 'must be a list such as name=value,other=value'

/** `name=value,name=value`, both percent-encoded, as in W3C baggage. */
const pairs = () =>
  z
    .string()
    .transform((text, check) => {
      const entries = text.split(',').filter((each) => each.trim() !== '')
      const decoded = entries.map((each) => decodePair(each))
      if (decoded.every((pair) => pair !== null)) return Object.fromEntries(decoded)
      check.addIssue({ code: 'custom', message: PAIRS })
      return z.NEVER
    })
    .optional()

function decodePair(text: string): [string, string] | null {
  const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(text) ?? []
  if (name === undefined || value === undefined) return null
  try {
    return [decodeURIComponent(name), decodeURIComponent(value)]
  } catch {
    return null
  }
}

const wholeNumber = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.coerce.number({ error: rule }).int(rule).min(min, rule).max(max, rule)
}

const milliseconds = () => wholeNumber(1, 600_000)
const protocol = () =>
  z.literal('http/json', { error: 'must be http/json: Atrium sends OTLP as JSON over HTTP' }).optional()
const exporter = () => oneOf('otlp', 'none').default('otlp')
const RATIO_RULE = 'must be a number from 0 to 1'

export const telemetryVariables = {
  OTEL_SDK_DISABLED: oneOf('true', 'false').default('false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalBaseUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optionalBaseUrl,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: optionalBaseUrl,
  OTEL_EXPORTER_OTLP_HEADERS: pairs(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs(),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: pairs(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol(),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol(),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds().default(10_000),
  OTEL_EXPORTER_OTLP_COMPRESSION: oneOf('gzip', 'none').default('none'),
  OTEL_TRACES_EXPORTER: exporter(),
  OTEL_METRICS_EXPORTER: exporter(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs(),
  OTEL_TRACES_SAMPLER: oneOf(...SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: RATIO_RULE })
    .min(0, RATIO_RULE)
    .max(1, RATIO_RULE)
    .default(1),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumber(1, 1_000_000).default(2048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: wholeNumber(1, 100_000).default(512),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds().default(5000),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds().default(60_000),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: oneOf('true', 'false').default('false'),
  ATRIUM_TRUSTED_TRACES: networkList(),
}

type Variables = z.output<z.ZodObject<typeof telemetryVariables>>

/** Null without a collector: OpenTelemetry isn't loaded then. */
export function readTelemetryConfig(env: Variables): TelemetryConfig | null {
  if (env.OTEL_SDK_DISABLED === 'true') return null
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const common = {
    timeoutMs: env.OTEL_EXPORTER_OTLP_TIMEOUT,
    gzip: env.OTEL_EXPORTER_OTLP_COMPRESSION === 'gzip',
  }
  const target = (url: string | undefined, path: string, headers: Record<string, string> | undefined) => {
    const complete = url ?? (base && `${base}${path}`)
    const all = { ...env.OTEL_EXPORTER_OTLP_HEADERS, ...headers }
    return complete ? { url: complete, headers: all, ...common } : null
  }
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesUrl, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: metricsUrl } =
    env
  const traces = target(tracesUrl, '/v1/traces', env.OTEL_EXPORTER_OTLP_TRACES_HEADERS)
  const metrics = target(metricsUrl, '/v1/metrics', env.OTEL_EXPORTER_OTLP_METRICS_HEADERS)
  const config = {
    traces: env.OTEL_TRACES_EXPORTER === 'otlp' ? traces : null,
    metrics:
      env.OTEL_METRICS_EXPORTER === 'otlp' && metrics
        ? { ...metrics, intervalMs: env.OTEL_METRIC_EXPORT_INTERVAL }
        : null,
    resource: resourceOf(env),
    sampler: samplerOf(env),
    queue: {
      spansMax: env.OTEL_BSP_MAX_QUEUE_SIZE,
      batchMax: Math.min(env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, env.OTEL_BSP_MAX_QUEUE_SIZE),
      delayMs: env.OTEL_BSP_SCHEDULE_DELAY,
    },
    capturesContent: env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT === 'true',
    trustedNetworks: env.ATRIUM_TRUSTED_TRACES.map(toCidr),
  }
  return config.traces || config.metrics ? config : null
}

const resourceOf = ({ OTEL_RESOURCE_ATTRIBUTES: added = {}, OTEL_SERVICE_NAME: name }: Variables) => ({
  'service.name': 'atrium',
  ...added,
  ...(name && { 'service.name': name }),
})

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share }: Variables) {
  const ratio = name.endsWith('always_on') ? 1 : name.endsWith('always_off') ? 0 : share
  return { ratio, followsParent: name.startsWith('parentbased_') }
}

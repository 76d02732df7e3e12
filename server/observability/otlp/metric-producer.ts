import type { HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'

type Value = MetricValue<string> & { metricName?: string }
type Metric = Omit<MetricObjectWithValues<Value>, 'type'> & { type: unknown }

/** Same names as `/metrics`. Read when sent. */
export function createMetricProducer(
  registry: Registry,
  resource: Resource,
  version: string,
): MetricProducer {
  const startTime = hrTimeOf(Date.now() - process.uptime() * 1000)
  return {
    async collect(): Promise<CollectionResult> {
      const time = { startTime, endTime: hrTimeOf(Date.now()) }
      const metrics = (await registry.getMetricsAsJSON()) as unknown as Metric[]
      const scope = { name: 'atrium', version }
      const scopeMetrics = [{ scope, metrics: metrics.map((metric) => convert(metric, time)) }]
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    },
  }
}

interface Time {
  startTime: HrTime
  endTime: HrTime
}

function convert({ name, help, type, values }: Metric, time: Time): MetricData {
  const base = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (type === 'histogram')
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(name, values, time) }
  const dataPoints = values.map(({ labels, value }) => ({ ...time, attributes: attributesOf(labels), value }))
  return type === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** `ValueType.DOUBLE`. Importing the enum would load the API before the first span. */
const DOUBLE = 1 as ValueType

/** Prometheus buckets are cumulative, OTLP's aren't. */
function histogramsOf(name: string, values: Value[], time: Time): DataPoint<Histogram>[] {
  const series = new Map<
    string,
    { labels: Value['labels']; bounds: number[]; counts: number[]; sum: number }
  >()
  for (const { labels, value, metricName } of values) {
    const { le, ...own } = labels as Record<string, string | number>
    const key = JSON.stringify(own)
    const found = series.get(key) ?? { labels: own, bounds: [], counts: [], sum: 0 }
    series.set(key, found)
    if (metricName === `${name}_sum`) found.sum = value
    else if (metricName === `${name}_bucket`) {
      found.counts.push(value)
      if (le !== '+Inf') found.bounds.push(Number(le))
    }
  }
  return [...series.values()].map(({ labels, bounds, counts, sum }) => ({
    ...time,
    attributes: attributesOf(labels),
    value: {
      buckets: { boundaries: bounds, counts: counts.map((count, n) => count - (counts[n - 1] ?? 0)) },
      sum,
      count: counts.at(-1) ?? 0,
    },
  }))
}

const attributesOf = (labels: Value['labels']) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

const unitOf = (name: string) => {
  if (/_seconds(_total)?$/.test(name)) return 's'
  return /_bytes(_total)?$/.test(name) ? 'By' : '1'
}

const hrTimeOf = (milliseconds: number): HrTime => {
  const seconds = Math.floor(milliseconds / 1000)
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)]
}

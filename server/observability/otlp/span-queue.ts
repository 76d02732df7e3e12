import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import type { TelemetryConfig } from '../../config/telemetry.ts'

interface SpanCounts {
  sent: number
  /** The queue was full: the collector is slow or down. */
  dropped: number
  /** The collector refused them or timed out. */
  failed: number
}

export interface SpanQueue extends SpanProcessor {
  readonly counts: SpanCounts
}

const SAMPLED = 1
const SUCCESS = 0

/**
 * Bounded and never blocks: with a slow collector, spans are dropped and counted, and no request is delayed. The SDK's
 * queue doesn't report dropped spans.
 */
export function createSpanQueue(
  exporter: SpanExporter,
  { spansMax, batchMax, delayMs }: TelemetryConfig['queue'],
  onFailure: (error: unknown) => void,
): SpanQueue {
  const counts: SpanCounts = { sent: 0, dropped: 0, failed: 0 }
  const waiting: ReadableSpan[] = []
  let sending: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  function schedule(): void {
    if (sending) return
    if (waiting.length >= batchMax) start()
    else timer ??= setTimeout(start, delayMs).unref()
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    if (sending || waiting.length === 0) return
    sending = send(waiting.splice(0, batchMax)).finally(() => {
      sending = null
      if (waiting.length > 0) schedule()
    })
  }

  async function send(batch: ReadableSpan[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    try {
      exporter.export(batch, ({ code, error }) => {
        if (code === SUCCESS) counts.sent += batch.length
        else fail(batch, error)
        resolve()
      })
    } catch (error) {
      fail(batch, error)
      resolve()
    }
    await promise
  }

  function fail(batch: ReadableSpan[], error: unknown): void {
    counts.failed += batch.length
    onFailure(error)
  }

  async function forceFlush(): Promise<void> {
    while (sending || waiting.length > 0) {
      start()
      await sending
    }
  }

  return {
    counts,
    onStart: () => {},
    onEnd(span) {
      if ((span.spanContext().traceFlags & SAMPLED) === 0) return
      if (waiting.length >= spansMax) {
        counts.dropped++
        return
      }
      waiting.push(span)
      schedule()
    },
    forceFlush,
    shutdown: async () => {
      await forceFlush()
      await exporter.shutdown()
    },
  }
}

import {
  type Link,
  type Attributes as OtelAttributes,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TelemetryConfig } from '../../config/telemetry.ts'
import { type Attributes, formatTraceparent, parseTraceparent, type Span, type Tracer } from '../tracing.ts'
import type { SpanQueue } from './span-queue.ts'

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** Long values, such as captured prompts, must fit what collectors accept. */
const VALUE_CHARACTERS_MAX = 16_384

/** Leaves the SDK's global state unused, so no library sends its own spans. */
export function createTracer(
  { sampler, capturesContent }: TelemetryConfig,
  resource: Resource,
  queue: SpanQueue,
  version: string,
): Tracer {
  const root = sampler.ratio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(sampler.ratio)
  const ids = createIds()
  const provider = new TracerProvider({
    resource,
    sampler: sampler.followsParent ? new ParentBasedSampler({ root }) : root,
    idGenerator: ids,
    spanProcessors: [queue],
    spanLimits: { attributeValueLengthLimit: VALUE_CHARACTERS_MAX },
  })
  const tracer = provider.getTracer('atrium', version)
  return {
    capturesContent,
    start({ name, kind = 'internal', parent, link, spanId, startTime, attributes }) {
      const parentContext = contextOf(parent)
      const linkContext = contextOf(link)
      const links: Link[] = linkContext ? [{ context: linkContext }] : []
      ids.next = spanId ?? null
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          links,
          ...(attributes && { attributes: attributes as OtelAttributes }),
          ...(startTime && { startTime }),
        },
        parentContext ? trace.setSpanContext(ROOT_CONTEXT, parentContext) : ROOT_CONTEXT,
      )
      return wrapSpan(span)
    },
  }
}

function wrapSpan(span: ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceparent: formatTraceparent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
    set: (attributes: Attributes) => void span.setAttributes(attributes as OtelAttributes),
    fail: (type) => void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type),
    end: (time) => span.end(time),
  }
}

function contextOf(traceparent: string | null | undefined): SpanContext | null {
  const parsed = parseTraceparent(traceparent)
  if (!parsed) return null
  const { traceId, spanId, isSampled } = parsed
  return {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  }
}

/** Random, except when a span's id is known beforehand. */
function createIds(): IdGenerator & { next: string | null } {
  const random = new RandomIdGenerator()
  return {
    next: null,
    generateTraceId: () => random.generateTraceId(),
    generateSpanId() {
      const id = this.next ?? random.generateSpanId()
      this.next = null
      return id
    },
  }
}

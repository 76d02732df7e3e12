import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Spans without a library. While tracing is off, each function only looks up the asynchronous context. The library that
 * sends spans is loaded only if tracing is on.
 */

export type Attributes = Record<string, string | number | boolean | readonly string[]>

export interface SpanStart {
  name: string
  /** `server` answers a request, `client` sends one, `consumer` does work that waited in the database. */
  kind?: 'server' | 'client' | 'consumer' | 'internal'
  /** The W3C traceparent of the span that caused it; without one, a trace begins. */
  parent?: string | null
  /** The traceparent of a span that is related, but did not cause it. */
  link?: string | null
  /** The id of a span whose children were sent before it, perhaps by other processes. */
  spanId?: string
  startTime?: Date
  attributes?: Attributes
  /** Set on every span inside of it too. */
  inherited?: Attributes
}

export interface Span {
  /** Identifies the span in rows and requests that other processes read. */
  readonly traceparent: string
  set: (attributes: Attributes) => void
  /** `type` is a short, stable name. Never a message, which may repeat contents. */
  fail: (type: string) => void
  end: (time?: Date) => void
}

export interface Tracer {
  /** Whether spans contain prompts and answers, as the operator configured. */
  readonly capturesContent: boolean
  start: (span: Omit<SpanStart, 'inherited'>) => Span
}

export interface ActiveTrace {
  tracer: Tracer
  span: Span | null
  inherited: Attributes
  onSuccess: (() => void)[]
}

const storage = new AsyncLocalStorage<ActiveTrace>()

/** Does work in a span of the active trace; only the work if there is no trace. An error of the work fails the span. */
export function inSpan<T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> {
  const active = storage.getStore()
  return active ? runIn(openTrace(active.tracer, start(), active), work) : work()
}

/** Like `inSpan`, where a trace begins or is continued: at jobs and claimed rows. */
export const inTrace = <T>(
  tracer: Tracer | null,
  start: () => SpanStart,
  work: () => Promise<T>,
): Promise<T> => (tracer ? runIn(openTrace(tracer, start(), null), work) : work())

/** Makes the tracer available to the work, without a span around it. */
export const withTracer = <T>(tracer: Tracer | null, work: () => T): T =>
  tracer ? storage.run({ tracer, span: null, inherited: {}, onSuccess: [] }, work) : work()

async function runIn<T>(trace: ActiveTrace, work: () => Promise<T>): Promise<T> {
  try {
    const result = await storage.run(trace, work)
    endTrace(trace)
    return result
  } catch (error) {
    trace.span?.fail(error instanceof Error ? error.name : 'error')
    trace.span?.end()
    throw error
  }
}

export function openTrace(tracer: Tracer, start: SpanStart, outer: ActiveTrace | null): ActiveTrace {
  const { inherited: added, ...own } = start
  const inherited = { ...outer?.inherited, ...added }
  const parent = own.parent === undefined ? (outer?.span?.traceparent ?? null) : own.parent
  const span = tracer.start({ ...own, parent, attributes: { ...inherited, ...own.attributes } })
  return { tracer, span, inherited, onSuccess: [] }
}

/** Ends the span, and runs the functions that waited for its success. */
export function endTrace({ span, onSuccess }: ActiveTrace): void {
  for (const each of onSuccess) each()
  span?.end()
}

/** Does work inside a trace that its caller ends. */
export const enterTrace = <T>(trace: ActiveTrace, work: () => T): T => storage.run(trace, work)

/** A span that its caller ends. Null if there is no trace. */
export function startSpan(start: () => SpanStart): ActiveTrace | null {
  const active = storage.getStore()
  return active ? openTrace(active.tracer, start(), active) : null
}

/** The value in rows and requests that continues the trace; null if there is none. */
export const currentTraceparent = (): string | null => storage.getStore()?.span?.traceparent ?? null

/** The header of a request that continues the trace. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent === null ? {} : { traceparent }
}

/** The span that the caller is in; null if there is none. */
export const currentSpan = (): Span | null => storage.getStore()?.span ?? null

/** Whether spans may contain prompts, answers, and the inputs and outputs of tools. */
export const capturesContent = (): boolean => storage.getStore()?.tracer.capturesContent ?? false

/** Sets attributes of this span and of those that begin inside it from now on. */
export function setTraceAttributes(attributes: Attributes): void {
  const active = storage.getStore()
  if (!active) return
  Object.assign(active.inherited, attributes)
  active.span?.set(attributes)
}

/**
 * Records a completed span with a known id after the current span of the caller has succeeded: until then, the reported
 * changes are not committed.
 */
export function recordSpan(
  start: Omit<SpanStart, 'inherited'>,
  finish: { end: Date; failure: string | null },
): void {
  const active = storage.getStore()
  if (!active) return
  const attributes = { ...active.inherited, ...start.attributes }
  active.onSuccess.push(() => {
    const span = active.tracer.start({ ...start, attributes })
    if (finish.failure !== null) span.fail(finish.failure)
    span.end(finish.end)
  })
}

/** The W3C trace context of a span, as rows and headers store it. */
interface TraceParent {
  traceId: string
  spanId: string
  isSampled: boolean
}

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const ZEROS = /^0+$/
const SAMPLED = 1

/** Null unless the text is a valid header of version 00, per https://www.w3.org/TR/trace-context/. */
export function parseTraceparent(text: unknown): TraceParent | null {
  const [, traceId = '', spanId = '', flags = ''] = (typeof text === 'string' && FORM.exec(text)) || []
  if (traceId === '' || ZEROS.test(traceId) || ZEROS.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/**
 * The span of a run, which may outlast its process: its id is derived from the id of the run, so that steps refer to it
 * before it ends, and the process that ends the run sends it.
 */
export function runTraceparent({ id, trace }: { id: string; trace: string | null }): string | null {
  const parent = parseTraceparent(trace)
  return parent && formatTraceparent({ ...parent, spanId: runSpanId(id) })
}

/** The random part of an id. */
export const runSpanId = (runId: string): string => runId.replaceAll('-', '').slice(16)

import { AsyncLocalStorage } from 'node:async_hooks'

/** While tracing is off, each function only looks up the async context, and no library is loaded. */

export type Attributes = Record<string, string | number | boolean | readonly string[]>

export interface SpanStart {
  name: string
  /** `server` answers a request, `client` sends one, `consumer` does work that waited in the database. */
  kind?: 'server' | 'client' | 'consumer' | 'internal'
  /** W3C traceparent of the cause. Without one, a trace begins. */
  parent?: string | null
  /** Related, but not the cause. */
  link?: string | null
  /** Set if its children were sent first, perhaps by other processes. */
  spanId?: string
  startTime?: Date
  attributes?: Attributes
  /** Also set on inner spans. */
  inherited?: Attributes
}

export interface Span {
  /** For rows and requests other processes read. */
  readonly traceparent: string
  set: (attributes: Attributes) => void
  /** A short, stable name. Never a message, which may repeat contents. */
  fail: (type: string) => void
  end: (time?: Date) => void
}

export interface Tracer {
  /** Prompts and answers, if the operator enabled it. */
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

/** Without a trace, only runs the work. An error fails the span. */
export function inSpan<T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> {
  const active = storage.getStore()
  return active ? runIn(openTrace(active.tracer, start(), active), work) : work()
}

/** For jobs and claimed rows, where a trace begins or continues. */
export const inTrace = <T>(
  tracer: Tracer | null,
  start: () => SpanStart,
  work: () => Promise<T>,
): Promise<T> => (tracer ? runIn(openTrace(tracer, start(), null), work) : work())

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

export function endTrace({ span, onSuccess }: ActiveTrace): void {
  for (const each of onSuccess) each()
  span?.end()
}

/** The caller ends the trace. */
export const enterTrace = <T>(trace: ActiveTrace, work: () => T): T => storage.run(trace, work)

/** The caller ends it. Null without a trace. */
export function startSpan(start: () => SpanStart): ActiveTrace | null {
  const active = storage.getStore()
  return active ? openTrace(active.tracer, start(), active) : null
}

/** For rows and requests that continue the trace. */
export const currentTraceparent = (): string | null => storage.getStore()?.span?.traceparent ?? null

export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent === null ? {} : { traceparent }
}

export const currentSpan = (): Span | null => storage.getStore()?.span ?? null

/** Covers prompts, answers, and tool input and output. */
export const capturesContent = (): boolean => storage.getStore()?.tracer.capturesContent ?? false

/** Also applies to inner spans that begin from now on. */
export function setTraceAttributes(attributes: Attributes): void {
  const active = storage.getStore()
  if (!active) return
  Object.assign(active.inherited, attributes)
  active.span?.set(attributes)
}

/** Waits for the caller's span to succeed: until then, the changes aren't committed. */
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

interface TraceParent {
  traceId: string
  spanId: string
  isSampled: boolean
}

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const ZEROS = /^0+$/
const SAMPLED = 1

/** Null unless valid for version 00: https://www.w3.org/TR/trace-context/. */
export function parseTraceparent(text: unknown): TraceParent | null {
  const [, traceId = '', spanId = '', flags = ''] = (typeof text === 'string' && FORM.exec(text)) || []
  if (traceId === '' || ZEROS.test(traceId) || ZEROS.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

/**
 * A run may outlast its process. With a derived span id, steps refer to it before it ends, and the process that ends
 * the run sends it.
 */
export function runTraceparent({ id, trace }: { id: string; trace: string | null }): string | null {
  const parent = parseTraceparent(trace)
  return parent && formatTraceparent({ ...parent, spanId: runSpanId(id) })
}

export const runSpanId = (runId: string): string => runId.replaceAll('-', '').slice(16)

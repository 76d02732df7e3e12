/** The W3C trace context of a span, as rows and headers store it. */
export interface TraceParent {
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

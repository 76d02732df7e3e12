import { createValueCounter } from '../outbound/limit-values.ts'

/** 128,000 tokens in an event each are about 40 MB. */
const EVENTS_BYTES_MAX = 67_108_864
/** Held in memory as a whole, like an unfinished line of events. */
const ANSWER_BYTES_MAX = 16_777_216
const REFUSAL_BYTES_MAX = 1_048_576
const LINE_FEED = 10

interface Limits {
  bytes: number
  line: number
  values: number | undefined
}

interface Answer {
  bytesMax?: number
  /** Of JSON. Infinity for other content. */
  valuesMax?: number | undefined
}

/** The SDK reads whatever a provider sends, so an endless response would fill the memory. Counts bytes after decompression. */
export const limitBytes =
  (send: typeof fetch, limits: Answer = {}): typeof fetch =>
  async (input, init) =>
    limitResponse(await send(input, init), limits)

export function limitResponse(response: Response, { bytesMax = Infinity, valuesMax }: Answer = {}): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const { bytes, line } = limitsOf(response)
  const limited = limitStream(body, { bytes: Math.min(bytes, bytesMax), line, values: valuesMax })
  return new Response(limited, { status, statusText, headers })
}

function limitsOf({ ok, headers }: Response): Omit<Limits, 'values'> {
  if (!ok) return { bytes: REFUSAL_BYTES_MAX, line: Infinity }
  return (headers.get('content-type') ?? '').includes('event-stream')
    ? { bytes: EVENTS_BYTES_MAX, line: ANSWER_BYTES_MAX }
    : { bytes: ANSWER_BYTES_MAX, line: Infinity }
}

function limitStream(body: ReadableStream<Uint8Array>, limits: Limits): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const areFew = createValueCounter(limits.values)
  let bytes = 0
  let line = 0
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        const end = value.lastIndexOf(LINE_FEED)
        bytes += value.length
        line = end === -1 ? line + value.length : value.length - end - 1
        if (bytes <= limits.bytes && line <= limits.line && areFew(value)) return controller.enqueue(value)
        controller.error(new Error('The response is too long'))
        // A failed connection has nothing left to cancel.
        await reader.cancel().catch(() => {})
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

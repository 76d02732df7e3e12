/** 128,000 tokens in an event each are about 40 MB. */
const STREAM_BYTES_MAX = 67_108_864
/** For responses that are held in memory as a whole. */
const RESPONSE_BYTES_MAX = 16_777_216
/** The SDK keeps an unfinished line in memory. */
const LINE_BYTES_MAX = 16_777_216
const LINE_FEED = 10

/** The SDK reads whatever a model provider sends, so an endless response would fill the server's memory. */
export const withByteLimits =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const isStream = response.ok && (headers.get('content-type') ?? '').includes('event-stream')
    const limits = isStream
      ? { bytes: STREAM_BYTES_MAX, line: LINE_BYTES_MAX }
      : { bytes: RESPONSE_BYTES_MAX, line: Infinity }
    return new Response(response.body.pipeThrough(limitBytes(limits)), { status, statusText, headers })
  }

function limitBytes(limits: { bytes: number; line: number }): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let line = 0
  return new TransformStream({
    transform(chunk, controller) {
      const end = chunk.lastIndexOf(LINE_FEED)
      bytes += chunk.length
      line = end === -1 ? line + chunk.length : chunk.length - end - 1
      if (bytes > limits.bytes || line > limits.line) throw new Error('The response is too long')
      controller.enqueue(chunk)
    },
  })
}

const ANSWER_BYTES_MAX = 134_217_728
const REFUSAL_BYTES_MAX = 1_048_576

/**
 * A provider could send without end, and the SDK keeps refusals and whole answers in memory. Counts the bytes after
 * decompression.
 */
export const limitBytes =
  (send: typeof fetch, bytesMax = ANSWER_BYTES_MAX): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    const { body, ok, status, statusText, headers } = response
    if (body === null) return response
    const limited = limitStream(body, ok ? bytesMax : Math.min(bytesMax, REFUSAL_BYTES_MAX))
    return new Response(limited, { status, statusText, headers })
  }

function limitStream(body: ReadableStream<Uint8Array>, bytesMax: number): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        bytes += value.length
        if (bytes <= bytesMax) return controller.enqueue(value)
        controller.error(new Error(`The response is larger than ${bytesMax} bytes`))
        // A failed connection has nothing left to cancel.
        await reader.cancel().catch(() => {})
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Headers } from '../test-app.ts'

interface HalfSentOptions {
  method: string
  headers: Headers
  body: string | Buffer
}

export interface HalfSent {
  finish: () => Promise<Response>
  abort: () => void
}

interface Response {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape, which the test asserts on
  body: any
}

/** Resolves once the server sends `100 Continue`. Rejects if the caller is refused. */
export async function sendHalf(url: string, { method, headers, body }: HalfSentOptions): Promise<HalfSent> {
  const bytes = Buffer.from(body)
  const half = Math.floor(bytes.length / 2)
  const message = request(url, {
    method,
    agent: false,
    headers: {
      'content-type': 'application/json',
      ...headers,
      expect: '100-continue',
      'content-length': bytes.length,
    },
  })
  const response = once(message, 'response').then(async ([reply]: IncomingMessage[]) => ({
    status: reply!.statusCode!,
    body: await json(reply!),
  }))
  message.flushHeaders()
  const early = await Promise.race([once(message, 'continue').then(() => null), response])
  if (early) throw new Error(`${method} ${url} was refused early: ${JSON.stringify(early)}`)
  message.write(bytes.subarray(0, half))
  return {
    finish: async () => {
      message.end(bytes.subarray(half))
      return response
    },
    abort: () => {
      response.catch(() => {})
      message.destroy()
    },
  }
}

import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { leaveTurn } from '../concurrency/turns.ts'
import { refuseInTransaction, releaseClient } from '../concurrency/work-scope.ts'
import { type AllowedNetworks, checkTargetUrl, hostOf, isPublicIp } from '../security/public-network.ts'
import { createResolver, failureMessage, guardedLookup, NOT_PUBLIC, NotPublicError } from './lookup.ts'

/** The HTTP client for URLs that users enter. */
export interface Outbound {
  /** Why a URL is refused, according to the URL itself and a DNS lookup; null if it is accepted. */
  checkUrl: (url: string) => Promise<string | null>
  /** Reads up to `bytesMax` of the response; the rest is never fetched, and `truncated` is set. */
  request: (request: OutboundRequest) => Promise<Outcome<BufferedResponse>>
  /**
   * Hands the response to `consume` while it arrives. A response over `bytesMax` is a failure. An error that `consume`
   * throws is rethrown.
   */
  stream: <T>(request: OutboundRequest, consume: Consume<T>) => Promise<Outcome<T>>
  /**
   * `fetch` for libraries that need one. The caller limits time and bytes. Redirects are returned, not followed, and a
   * URL that is refused throws.
   */
  fetch: typeof globalThis.fetch
  /** A webhook delivery: 15 seconds, and 16 KB of the response as text. */
  post: (url: string, options: PostOptions) => Promise<Outcome<TextResponse>>
  close: () => Promise<void>
}

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array | Readable
  /** The limit for the whole exchange, from the DNS lookup to the last byte of the response. */
  timeoutMs: number
  /** The most bytes that are read of the response body. */
  bytesMax: number
  /** Ends the exchange early, which counts as a failure. */
  signal?: AbortSignal
}

interface PostOptions {
  headers: Record<string, string>
  body: string
}

/** Failures of the network and of the other server are values, not exceptions. */
export type Outcome<R> =
  | { kind: 'response'; response: R; durationMs: number }
  | { kind: 'failure'; error: string; durationMs: number; timedOut?: true }

interface ResponseHead {
  status: number
  headers: Record<string, string>
}

export interface BufferedResponse extends ResponseHead {
  body: Buffer
  truncated: boolean
}

export interface TextResponse extends ResponseHead {
  body: string
  truncated: boolean
}

type Body = AsyncIterable<Uint8Array>
type Consume<T> = (response: ResponseHead & { body: Body }) => Promise<T>

export interface OutboundOptions {
  allowed: AllowedNetworks
  /** DNS servers to use instead of the system's. */
  resolvers?: readonly string[]
}

const POST_TIMEOUT_MS = 15_000
const POST_BYTES_MAX = 16_384
const CONNECT_TIMEOUT_MS = 15_000
const HEADER_BYTES_MAX = 16_384

/**
 * Treats the other server as hostile: a host name is resolved once per connection, every IP address it resolves to is
 * checked, and the connection goes to one of those, even if the name resolves to another one later. No redirects are
 * followed, certificates are verified, and time and bytes are limited.
 */
export function createOutbound({ allowed, resolvers }: OutboundOptions): Outbound {
  const resolve = createResolver(resolvers)
  const load = async () => {
    const { Agent, fetch, request: send } = await import('undici')
    const agent = new Agent({
      maxHeaderSize: HEADER_BYTES_MAX,
      // Only `timeoutMs` of the request limits the time.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        lookup: guardedLookup(resolve, allowed),
        timeout: CONNECT_TIMEOUT_MS,
        autoSelectFamily: true,
      },
    })
    return { agent, send, fetch }
  }
  /** Loaded by the first request: the library takes 6 MB of memory. */
  let client: ReturnType<typeof load> | undefined

  async function exchange<T>(
    { url, timeoutMs, bytesMax, signal: callerSignal, ...request }: OutboundRequest,
    consume: Consume<T>,
    onOverflow: () => void,
  ): Promise<Outcome<T>> {
    beginRequest()
    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    // An IP address in the URL is never looked up, so it has to be checked here.
    const problem = checkTargetUrl(url, allowed)
    if (problem) {
      if (request.body instanceof Readable) request.body.destroy()
      return { kind: 'failure', error: `The URL ${problem}`, durationMs: 0 }
    }
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = callerSignal ? AbortSignal.any([timeout, callerSignal]) : timeout
    const failure = (error: unknown): Outcome<T> => {
      const text = timeout.aborted
        ? `No response within ${timeoutMs / 1000} seconds`
        : callerSignal?.aborted
          ? 'The request was canceled'
          : failureMessage(error)
      return {
        kind: 'failure',
        error: text,
        durationMs: durationMs(),
        ...(timeout.aborted && { timedOut: true }),
      }
    }
    leaveTurn()
    client ??= load()
    const { agent, send } = await client
    let received: Awaited<ReturnType<typeof send>>
    try {
      received = await send(url, { ...request, dispatcher: agent, signal })
    } catch (error) {
      return failure(error)
    }
    const { statusCode: status, headers, body } = received
    let transferError: { cause: unknown } | undefined
    const limitedBody = limit(body, bytesMax, onOverflow, (cause) => (transferError = { cause }))
    try {
      const response = await consume({ status, headers: plainHeaders(headers), body: limitedBody })
      return { kind: 'response', response, durationMs: durationMs() }
    } catch (error) {
      if (transferError) return failure(transferError.cause)
      throw error
    } finally {
      body.on('error', () => {}).destroy()
    }
  }

  const request = (options: OutboundRequest): Promise<Outcome<BufferedResponse>> => {
    let truncated = false
    return exchange(
      options,
      async ({ body, ...head }) => ({ ...head, body: await read(body), truncated }),
      () => (truncated = true),
    )
  }

  return {
    async checkUrl(url) {
      refuseInTransaction('a name server')
      const problem = checkTargetUrl(url, allowed)
      if (problem) return problem
      const host = hostOf(new URL(url))
      const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : []
      return addresses.every((address) => isPublicIp(address, allowed)) ? null : NOT_PUBLIC
    },
    request,
    stream: (options, consume) =>
      exchange(options, consume, () => {
        throw new Error(`The response is larger than ${options.bytesMax} bytes`)
      }),
    async fetch(input, init) {
      beginRequest()
      const url = input instanceof Request ? input.url : String(input)
      const problem = checkTargetUrl(url, allowed)
      if (problem) throw new NotPublicError(`The URL ${problem}`)
      client ??= load()
      const { agent, fetch } = await client
      const options = { ...init, dispatcher: agent, redirect: 'manual' } as RequestInit
      // undici and Node declare the same standard type separately.
      return (await fetch(url, options as Parameters<typeof fetch>[1])) as unknown as Response
    },
    async post(url, options) {
      const limits = { timeoutMs: POST_TIMEOUT_MS, bytesMax: POST_BYTES_MAX }
      const outcome = await request({ method: 'POST', url, ...options, ...limits })
      if (outcome.kind === 'failure') return outcome
      const text = new TextDecoder().decode(outcome.response.body).replaceAll('\0', '\uFFFD')
      return { ...outcome, response: { ...outcome.response, body: text } }
    },
    close: async () => (await client)?.agent.destroy(),
  }
}

function beginRequest(): void {
  refuseInTransaction('another server')
  releaseClient()
}

/** Ends after `bytesMax`; where there is more, `onOverflow` decides, by throwing or not, whether that is an error. */
async function* limit(
  body: Body,
  bytesMax: number,
  onOverflow: () => void,
  onError: (error: unknown) => void,
): Body {
  let remaining = bytesMax
  try {
    for await (const chunk of body) {
      if (chunk.length > remaining) {
        if (remaining > 0) yield chunk.subarray(0, remaining)
        return onOverflow()
      }
      remaining -= chunk.length
      yield chunk
    }
  } catch (error) {
    onError(error)
    throw error
  }
}

async function read(body: Body): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const plainHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      String(Array.isArray(value) ? value.join(', ') : value).replaceAll('\0', ''),
    ]),
  )

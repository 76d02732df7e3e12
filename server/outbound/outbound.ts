import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { leaveTurn } from '../concurrency/turns.ts'
import { refuseInTransaction, releaseClient } from '../concurrency/work-scope.ts'
import {
  type AllowedNetworks,
  checkTargetUrl,
  isPublicIp,
  normalizeHost,
} from '../security/public-network.ts'
import { createResolver, failureMessage, guardedLookup, NOT_PUBLIC, NotPublicError } from './lookup.ts'

export interface Outbound {
  /** Includes a DNS lookup. Null if accepted. */
  checkUrl: (url: string) => Promise<string | null>
  /** Beyond `bytesMax` nothing is fetched, and `truncated` is set. */
  request: (request: OutboundRequest) => Promise<Outcome<BufferedResponse>>
  /** Fails over `bytesMax`. Rethrows errors from `consume`. */
  stream: <T>(request: OutboundRequest, consume: Consume<T>) => Promise<Outcome<T>>
  /** For libraries. The caller limits time and bytes. Returns redirects, and throws for a refused URL. */
  fetch: typeof globalThis.fetch
  /** For webhook deliveries: 15 seconds, 16 KB response text. */
  post: (url: string, options: PostOptions) => Promise<Outcome<TextResponse>>
  close: () => Promise<void>
}

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array | Readable
  /** From DNS lookup to the last byte. */
  timeoutMs: number
  bytesMax: number
  /** Aborting counts as a failure. */
  signal?: AbortSignal
}

interface PostOptions {
  headers: Record<string, string>
  body: string
}

/** Network and remote failures are values, not exceptions. */
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
  /** Replace the system's DNS servers. */
  resolvers?: readonly string[]
}

const POST_TIMEOUT_MS = 15_000
const POST_BYTES_MAX = 16_384
const CONNECT_TIMEOUT_MS = 15_000
const HEADER_BYTES_MAX = 16_384

/**
 * Treats the remote as hostile: resolves a host once per connection, checks every IP address, and connects to one of
 * those even if the name later resolves elsewhere. Follows no redirects and verifies certificates.
 */
export function createOutbound({ allowed, resolvers }: OutboundOptions): Outbound {
  const resolve = createResolver(resolvers)
  const load = async () => {
    const { Agent, fetch, request: send } = await import('undici')
    const agent = new Agent({
      maxHeaderSize: HEADER_BYTES_MAX,
      // Only the request's `timeoutMs` applies.
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
  /** Lazy: the library takes 6 MB. */
  let client: ReturnType<typeof load> | undefined

  async function exchange<T>(
    { url, timeoutMs, bytesMax, signal: callerSignal, ...request }: OutboundRequest,
    consume: Consume<T>,
    onOverflow: () => void,
  ): Promise<Outcome<T>> {
    beginRequest()
    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    // An IP address in the URL is never looked up, so check it here.
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
      const host = normalizeHost(new URL(url))
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

/** Ends after `bytesMax`. If there is more, `onOverflow` may throw. */
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

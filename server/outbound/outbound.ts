import { lookup as lookUpAddress, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { Agent, request } from 'undici'
import {
  type AllowedNetworks,
  checkTargetUrl,
  hostOf,
  isLocalName,
  isPublicAddress,
} from '../security/public-address.ts'

/** Requests to addresses that people name. */
export interface Outbound {
  /** What is wrong with an address, as far as that can be told without asking it; null if nothing is, or nobody knows yet. */
  problemWith: (url: string) => Promise<string | null>
  post: (url: string, options: PostOptions) => Promise<Outcome>
  close: () => Promise<void>
}

export interface PostOptions {
  headers: Record<string, string>
  body: string
}

/** What became of a request. What goes wrong outside is a value, not an exception. */
export type Outcome =
  | { kind: 'answered'; response: Answered; durationMs: number }
  | { kind: 'failed'; error: string; durationMs: number }

export interface Answered {
  status: number
  headers: Record<string, string>
  body: string
  /** There was more than is kept. */
  truncated: boolean
}

export interface OutboundOptions {
  allowed: AllowedNetworks
  /** Whom to ask for addresses, instead of whom this machine asks. */
  resolvers?: readonly string[]
  timeLimitMs?: number
}

const TIME_LIMIT_MS = 15_000
const BODY_BYTES_MAX = 16_384
const HEADER_BYTES_MAX = 16_384
const ADDRESSES_MAX = 8

/**
 * A client for hostile ends: a name is resolved once for a connection, every address it has is checked, and the
 * connection goes to one of those checked, whatever the name leads to later; no redirects, certificates verified, a limit
 * on time and on what is read.
 */
export function createOutbound({
  allowed,
  resolvers,
  timeLimitMs = TIME_LIMIT_MS,
}: OutboundOptions): Outbound {
  const resolve = resolverOf(resolvers)
  const agent = new Agent({
    maxHeaderSize: HEADER_BYTES_MAX,
    connect: { lookup: guarded(resolve, allowed), timeout: timeLimitMs, autoSelectFamily: true },
  })

  return {
    async problemWith(url) {
      const problem = checkTargetUrl(url, allowed)
      if (problem) return problem
      const host = hostOf(new URL(url))
      const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : []
      return addresses.every((address) => isPublicAddress(address, allowed)) ? null : NOT_PUBLIC
    },
    async post(url, { headers, body }) {
      const started = performance.now()
      const spent = () => Math.round(performance.now() - started)
      // An address written as numbers is never looked up, so it has to be checked here.
      const problem = checkTargetUrl(url, allowed)
      if (problem) return { kind: 'failed', error: `The address ${problem}`, durationMs: 0 }
      const signal = AbortSignal.timeout(timeLimitMs)
      try {
        const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal })
        const read = await readStart(answer.body)
        const response = { status: answer.statusCode, headers: plain(answer.headers), ...read }
        return { kind: 'answered', response, durationMs: spent() }
      } catch (error) {
        const words = signal.aborted ? `No answer within ${timeLimitMs / 1000} seconds` : wordsFor(error)
        return { kind: 'failed', error: words, durationMs: spent() }
      }
    },
    close: () => agent.destroy(),
  }
}

type Resolve = (host: string) => Promise<string[]>

/**
 * The machine's own lookup holds one of the few threads that files are read with until it is answered, so a name whose
 * servers never answer would hold up everybody: only names that nobody outside can answer for go that way.
 */
function resolverOf(servers: readonly string[] | undefined): Resolve {
  return async (host) => {
    if (!servers && isLocalName(host)) {
      return (await lookUpAddress(host, { all: true })).map(({ address }) => address)
    }
    // A new one each time: whom this machine asks may have changed.
    const resolver = new Resolver({ timeout: 2000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** Without the address: what names mean inside somebody's network is nobody else's to know. */
const NOT_PUBLIC = 'leads to an address that is not public'
class NotPublic extends Error {}

/** Asked once per connection. One address that is not public spoils the name: nobody honest has both kinds. */
const guarded =
  (resolve: Resolve, allowed: AllowedNetworks): LookupFunction =>
  (hostname, options, done) => {
    const answer = callbackify(async () => {
      const addresses = await resolve(hostOf(new URL(`http://${hostname}`)))
      if (addresses.length === 0) throw new Error(`${hostname} has no address`)
      if (!addresses.every((address) => isPublicAddress(address, allowed))) {
        throw new NotPublic(`${hostname} ${NOT_PUBLIC}`)
      }
      return addresses.slice(0, ADDRESSES_MAX).map((address) => ({ address, family: isIP(address) }))
    })
    answer((error, addresses) => {
      if (error) done(error, '')
      else if (options.all) done(null, addresses)
      else done(null, addresses[0]!.address, addresses[0]!.family)
    })
  }

/** As much of an answer as is kept; the rest is never fetched. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<Pick<Answered, 'body' | 'truncated'>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > BODY_BYTES_MAX) break
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX))
  return { body: text.replaceAll('\0', '\uFFFD'), truncated: size > BODY_BYTES_MAX }
}

const plain = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      String(Array.isArray(value) ? value.join(', ') : value).replaceAll('\0', ''),
    ]),
  )

/** For the person who looks after the webhook: what happened, without the inside of this machine. */
function wordsFor(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof NotPublic) return message
  if (code && code in WORDS) return WORDS[code]!
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT') || /certificate/i.test(message)) {
    return `The certificate is not valid: ${message}`
  }
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL')) {
    return 'No secure connection could be made: the address does not speak TLS'
  }
  return message || 'The request failed'
}

const WORDS: Record<string, string> = {
  ENOTFOUND: 'The name has no address',
  ECONNREFUSED: 'Nothing is listening at this address',
  ECONNRESET: 'The connection was closed before an answer came',
  UND_ERR_SOCKET: 'The connection was closed before an answer came',
  UND_ERR_CONNECT_TIMEOUT: 'No connection within the time limit',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large',
  EHOSTUNREACH: 'The address cannot be reached',
  ENETUNREACH: 'The address cannot be reached',
}

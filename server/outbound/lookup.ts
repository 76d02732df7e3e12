import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { dictionary } from '../../contract/dictionary.ts'
import { type AllowedNetworks, isLocalName, isPublicIp, normalizeHost } from '../security/public-network.ts'

type Resolve = (host: string) => Promise<string[]>

const ADDRESSES_MAX = 8

/** Omits the IP address, which would reveal a private network's layout. */
export const NOT_PUBLIC = 'resolves to a non-public IP address'
export class NotPublicError extends Error {}

/**
 * The system lookup occupies one of the few libuv threads that also read files, so unresponsive DNS servers would block
 * unrelated work. Only locally resolvable names use it.
 */
export function createResolver(servers: readonly string[] | undefined): Resolve {
  return async (host) => {
    if (!servers && isLocalName(host)) {
      return (await systemLookup(host, { all: true })).map(({ address }) => address)
    }
    // This machine's DNS servers may have changed.
    const resolver = new Resolver({ timeout: 2000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  }
}

/** One non-public IP address refuses the name: an honest name never has both kinds. */
export const guardedLookup =
  (resolve: Resolve, allowed: AllowedNetworks): LookupFunction =>
  (hostname, options, done) => {
    const lookup = callbackify(async () => {
      const addresses = await resolve(normalizeHost(new URL(`http://${hostname}`)))
      if (addresses.length === 0) throw new Error(`${hostname} does not resolve to an IP address`)
      if (!addresses.every((address) => isPublicIp(address, allowed))) {
        throw new NotPublicError(`${hostname} ${NOT_PUBLIC}`)
      }
      return addresses.slice(0, ADDRESSES_MAX).map((address) => ({ address, family: isIP(address) }))
    })
    lookup((error, addresses) => {
      if (error) done(error, '')
      else if (options.all) done(null, addresses)
      else done(null, addresses[0]!.address, addresses[0]!.family)
    })
  }

/** For members. Reveals nothing about this machine. */
export function failureMessage(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof NotPublicError) return message
  if (code && code in MESSAGES) return MESSAGES[code]!
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT') || /certificate/i.test(message)) {
    return `The certificate is not valid: ${message}`
  }
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL')) return 'The server does not support TLS'
  return message || 'The request failed'
}

const MESSAGES: Record<string, string> = dictionary({
  ENOTFOUND: 'The host name does not resolve to an IP address',
  ECONNREFUSED: 'Connection refused: no server is listening at this URL',
  ECONNRESET: 'The connection was closed before the response was complete',
  UND_ERR_SOCKET: 'The connection was closed before the response was complete',
  UND_ERR_CONNECT_TIMEOUT: 'No connection within the time limit',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large',
  EHOSTUNREACH: 'The host is unreachable',
  ENETUNREACH: 'The host is unreachable',
})

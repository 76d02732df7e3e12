import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TurnKey, Turns } from '../concurrency/turns.ts'
import type { Caller } from '../context.ts'
import { clientNeighborhood } from '../security/client-network.ts'
import { sha256 } from '../security/digest.ts'
import { lazyAbortOnClose } from './abort-on-close.ts'
import { readSessionCookie } from './cookies.ts'
import { readGuestToken } from './guest-token.ts'

const KNOWN_MS = 600_000
const KNOWN_MAX = 10_000

/** As hashes. Being known grants nothing: credentials are checked again. */
export function createKnownCredentials(now: () => number = () => performance.now()) {
  const acceptedAt = new Map<string, number>()
  const isKnown = (credential: string): boolean => {
    const at = acceptedAt.get(hashOf(credential))
    return at !== undefined && now() - at < KNOWN_MS
  }
  return {
    has: (request: FastifyRequest): boolean => credentialsOf(request).some(isKnown),
    /** Ignores credentials merely sent along. */
    accept(request: FastifyRequest, { via }: Pick<Caller, 'via'>): void {
      const credential = via === 'share' ? readGuestToken(request) : signInOf(request)
      if (credential === undefined) return
      const hash = hashOf(credential)
      acceptedAt.delete(hash)
      acceptedAt.set(hash, now())
      if (acceptedAt.size > KNOWN_MAX) acceptedAt.delete(acceptedAt.keys().next().value!)
    },
  }
}

export type KnownCredentials = ReturnType<typeof createKnownCredentials>

const hashOf = (credential: string) => sha256(credential).toString('base64')

const credentialsOf = (request: FastifyRequest) =>
  [signInOf(request), readGuestToken(request)].filter((credential) => credential !== undefined)

/** An API key takes precedence over a session. */
const signInOf = (request: FastifyRequest): string | undefined =>
  request.headers.authorization ?? readSessionCookie(request)

/** A flood of wrong keys, pages or unknown paths must leave most event loop time to everyone else. */
export function delayStrangers(
  http: FastifyInstance,
  known: KnownCredentials,
  turns: Pick<Turns, 'begin'>,
): void {
  http.addHook('onRequest', async (request, reply) => {
    if (known.has(request)) return
    const end = await turns.begin(networkTurnKey(request.ip), lazyAbortOnClose(reply))
    end()
  })
}

export const networkTurnKey = (ip: string): TurnKey => ({
  name: `network ${clientNeighborhood(ip)}`,
  isTrusted: false,
})

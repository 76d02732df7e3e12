import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TurnKey, Turns } from '../concurrency/turns.ts'
import { neighborhoodOf } from '../security/client-network.ts'
import { sha256 } from '../security/digest.ts'
import { lazyAbortOnClose } from './abort-on-close.ts'

/** A credential counts as known this long after it was last accepted. */
const KNOWN_MS = 600_000
const KNOWN_MAX = 10_000

/** Credentials that were accepted recently, as hashes. Knowing one grants nothing: it is checked again. */
export function createKnownCredentials(now: () => number = () => performance.now()) {
  const acceptedAt = new Map<string, number>()
  return {
    has(request: FastifyRequest): boolean {
      const key = keyOf(request)
      const at = key === null ? undefined : acceptedAt.get(key)
      return at !== undefined && now() - at < KNOWN_MS
    },
    accept(request: FastifyRequest): void {
      const key = keyOf(request)
      if (key === null) return
      acceptedAt.delete(key)
      acceptedAt.set(key, now())
      if (acceptedAt.size > KNOWN_MAX) acceptedAt.delete(acceptedAt.keys().next().value!)
    },
  }
}

export type KnownCredentials = ReturnType<typeof createKnownCredentials>

function keyOf({ headers }: FastifyRequest): string | null {
  const { authorization, cookie } = headers
  const ticket = headers['x-share-ticket']
  if (authorization === undefined && cookie === undefined && ticket === undefined) return null
  return sha256(JSON.stringify([authorization, cookie, ticket])).toString('base64')
}

/**
 * Requests without a known credential take turns by network before anything else, so that a flood of wrong keys, pages or
 * unknown paths leaves most of each iteration of the event loop to everyone else.
 */
export function delayStrangers(
  http: FastifyInstance,
  known: KnownCredentials,
  turns: Pick<Turns, 'begin'>,
): void {
  http.addHook('onRequest', async (request, reply) => {
    if (known.has(request)) return
    const end = await turns.begin(networkKeyOf(request.ip), lazyAbortOnClose(reply))
    end()
  })
}

/** Anonymous clients take turns by network. */
export const networkKeyOf = (ip: string): TurnKey => ({
  name: `network ${neighborhoodOf(ip)}`,
  isTrusted: false,
})

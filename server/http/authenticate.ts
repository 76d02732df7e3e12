import type { FastifyRequest } from 'fastify'
import type { Caller } from '../context.ts'
import { forbidden, raise, unauthorized } from '../errors.ts'
import { sessionCookieOf } from './cookies.ts'

/** How a credential becomes a caller: handed in by app.ts, so that this folder knows no feature. */
export interface Identify {
  byKey: (key: string) => Promise<Caller | null>
  bySession: (token: string) => Promise<Caller | null>
  byShareTicket: (ticket: string) => Promise<Caller | null>
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A key decides over a cookie, so "API keys are rejected" cannot be dodged by sending both. */
export async function authenticate(request: FastifyRequest, identify: Identify): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const caller = key ? await identify.byKey(key) : null
    if (!caller) throw unauthorized('The API key is missing, malformed or revoked')
    return caller
  }
  const token = sessionCookieOf(request)
  const caller = token ? await identify.bySession(token) : null
  if (!caller) throw unauthorized('Sign in, or send an API key as "Authorization: Bearer <key>"')
  return caller
}

/** A ticket decides over a session, and a key over both. */
export const isGuest = ({ headers }: FastifyRequest): boolean =>
  typeof headers['x-share-ticket'] === 'string' && headers.authorization === undefined

/** A guest by the ticket of a share link, on endpoints that let guests in. */
export async function authenticateGuest({ headers }: FastifyRequest, identify: Identify): Promise<Caller> {
  const caller = await identify.byShareTicket(String(headers['x-share-ticket']))
  return caller ?? raise(unauthorized('This share link has ended'))
}

/**
 * Refuses what another site made a browser send. A request with neither header comes from no browser, so it cannot
 * carry somebody else's cookie.
 */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string | null): void {
  if (SAFE_METHODS.has(request.method) || request.headers.authorization !== undefined) return
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  const { origin } = request.headers
  const isOwn = origin === undefined || origin === publicUrl || hostOf(origin) === request.host
  if (site !== undefined || !isOwn) {
    throw forbidden('This request came from another site', { reason: 'cross_site' })
  }
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

import type { FastifyRequest } from 'fastify'
import type { Access } from '../../contract/endpoint.ts'
import type { Caller } from '../context.ts'
import { ApiError, forbidden, raise, unauthorized } from '../errors.ts'
import { readSessionCookie } from './cookies.ts'
import { readGuestToken } from './guest-token.ts'

/** Null for an invalid credential. app.ts passes this in: this folder imports no feature. */
export interface Identify {
  /** Throws UNAUTHORIZED for an expired key. */
  byKey: (key: string, ip: string) => Promise<Caller | null>
  bySession: (token: string) => Promise<Caller | null>
  byGuestToken: (token: string) => Promise<Caller | null>
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export async function authenticateCaller(
  request: FastifyRequest,
  access: Access,
  identify: Identify,
): Promise<Caller | null> {
  if (access.kind === 'signature') return null
  if (access.kind === 'public') {
    return access.identify ? authenticate(request, identify).catch(asAnonymous) : null
  }
  const guestToken = access.kind === 'member' && access.share ? usableGuestToken(request) : undefined
  return guestToken === undefined ? authenticate(request, identify) : authenticateGuest(guestToken, identify)
}

/** A key beats a cookie, so sending both can't bypass a check that refuses keys. */
async function authenticate(request: FastifyRequest, identify: Identify): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const caller = key ? await identify.byKey(key, request.ip) : null
    return caller ?? raise(unauthorized('The API key is missing, malformed or revoked'))
  }
  const token = readSessionCookie(request)
  const caller = token ? await identify.bySession(token) : null
  return caller ?? raise(unauthorized('Sign in, or send an API key as "Authorization: Bearer <key>"'))
}

/** Where sign-in is optional, an invalid credential counts as none. */
function asAnonymous(error: unknown): null {
  if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null
  throw error
}

/** A guest token takes precedence over a session, and a key over both. */
const usableGuestToken = (request: FastifyRequest): string | undefined =>
  request.headers.authorization === undefined ? readGuestToken(request) : undefined

async function authenticateGuest(token: string, identify: Identify): Promise<Caller> {
  const caller = await identify.byGuestToken(token)
  return caller ?? raise(unauthorized('The share link has expired or was revoked'))
}

/**
 * Rejects requests another site made a browser send. Without either header, the request isn't from a browser and can't
 * carry another user's cookie.
 */
export function refuseCrossSite(
  request: FastifyRequest,
  publicUrl: string | null,
  { isStream }: { isStream: boolean },
): void {
  if (request.headers.authorization !== undefined) return
  // A stream holds one of its user's slots while the other site's page is open.
  if (SAFE_METHODS.has(request.method) && !isStream) return
  refuseOtherSites(request, publicUrl)
}

/** For requests browsers send from any site, such as WebSocket handshakes. */
export function refuseOtherSites(request: FastifyRequest, publicUrl: string | null): void {
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  const { origin } = request.headers
  const isOwn = origin === undefined || origin === publicUrl || hostOf(origin) === request.host
  if (site !== undefined || !isOwn) {
    throw forbidden('This request came from another site', { reason: 'cross_site' })
  }
}

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

import type { FastifyRequest } from 'fastify'
import type { Access } from '../../contract/endpoint.ts'
import type { Caller } from '../context.ts'
import { ApiError, forbidden, raise, unauthorized } from '../errors.ts'
import { sessionCookieOf } from './cookies.ts'

/** Resolves a credential to its caller, null if it is not valid. Passed in by app.ts: this folder imports no feature. */
export interface Identify {
  /** Throws UNAUTHORIZED for a key that has expired. */
  byKey: (key: string, ip: string) => Promise<Caller | null>
  bySession: (token: string) => Promise<Caller | null>
  byGuestToken: (token: string) => Promise<Caller | null>
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Authenticates the caller as the access of the endpoint requires; null where it is anonymous. */
export async function callerOf(
  request: FastifyRequest,
  access: Access,
  identify: Identify,
): Promise<Caller | null> {
  if (access.kind === 'signature') return null
  if (access.kind === 'public') {
    return access.identify ? authenticate(request, identify).catch(asAnonymous) : null
  }
  const isGuest = access.kind === 'member' && access.share && hasGuestToken(request)
  return isGuest ? authenticateGuest(request, identify) : authenticate(request, identify)
}

/** A key takes precedence over a cookie, so that a caller cannot pass a check that refuses keys by sending both. */
async function authenticate(request: FastifyRequest, identify: Identify): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    const caller = key ? await identify.byKey(key, request.ip) : null
    return caller ?? raise(unauthorized('The API key is missing, malformed or revoked'))
  }
  const token = sessionCookieOf(request)
  const caller = token ? await identify.bySession(token) : null
  return caller ?? raise(unauthorized('Sign in, or send an API key as "Authorization: Bearer <key>"'))
}

/** Where signing in is optional, an invalid credential counts as none. */
function asAnonymous(error: unknown): null {
  if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null
  throw error
}

/** A guest token takes precedence over a session, and a key over both. */
const hasGuestToken = ({ headers }: FastifyRequest): boolean =>
  typeof headers['x-share-ticket'] === 'string' && headers.authorization === undefined

async function authenticateGuest({ headers }: FastifyRequest, identify: Identify): Promise<Caller> {
  const caller = await identify.byGuestToken(String(headers['x-share-ticket']))
  return caller ?? raise(unauthorized('The share link has expired or was revoked'))
}

/**
 * Refuses a request that another site made a browser send. A request with neither header does not come from a browser,
 * so it cannot have the cookie of another user.
 */
export function refuseCrossSite(
  request: FastifyRequest,
  publicUrl: string | null,
  { isStream }: { isStream: boolean },
): void {
  if (request.headers.authorization !== undefined) return
  // A stream holds one of the slots of its user for as long as the page of the other site is open.
  if (SAFE_METHODS.has(request.method) && !isStream) return
  refuseOtherSites(request, publicUrl)
}

/**
 * Like `refuseCrossSite`, for a request that a browser sends with any method and from any site, such as the handshake
 * of a WebSocket.
 */
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

import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Result } from '../endpoint/call.ts'

const SESSION_COOKIE = 'atrium_session'
const FLOW_COOKIE = 'atrium_flow'
const FLOW_SECONDS = 600
const DEVICE_COOKIE = 'atrium_device'
const DEVICE_SECONDS = 15_552_000
const EXPIRED = { value: '', expires: new Date(0), maxAge: 0 }

export const sessionCookieName = (request: FastifyRequest) => cookieName(request, SESSION_COOKIE)

export const readSessionCookie = (request: FastifyRequest) => cookieOf(request, SESSION_COOKIE)

export function applySession(
  request: FastifyRequest,
  reply: FastifyReply,
  change: NonNullable<Result['session']>,
): void {
  if (change === 'ended') {
    setCookie(request, reply, SESSION_COOKIE, EXPIRED)
    return
  }
  const value = change.token ?? readSessionCookie(request)
  if (value) setCookie(request, reply, SESSION_COOKIE, { value, expires: change.expiresAt })
}

export const readFlowCookie = (request: FastifyRequest) => cookieOf(request, FLOW_COOKIE)

/** Binds an OAuth sign-in, which continues on another site, to this browser. */
export const setFlowCookie = (request: FastifyRequest, reply: FastifyReply, value: string | null) =>
  setCookie(request, reply, FLOW_COOKIE, value === null ? EXPIRED : { value, maxAge: FLOW_SECONDS })

export const readDeviceCookie = (request: FastifyRequest) => cookieOf(request, DEVICE_COOKIE)

/** Outlives the session but can't sign in. */
export const setDeviceCookie = (request: FastifyRequest, reply: FastifyReply, value: string) =>
  setCookie(request, reply, DEVICE_COOKIE, { value, maxAge: DEVICE_SECONDS })

/** Lazy: API key requests have no cookies. */
function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const { cookie } = request.headers
  return cookie && parseCookie(cookie)[cookieName(request, name)]
}

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  cookie: Pick<SetCookie, 'value' | 'expires' | 'maxAge'>,
): void {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) } as const
  // Fastify appends, and the last cookie with a name wins.
  reply.header(
    'set-cookie',
    stringifySetCookie({ name: cookieName(request, name), ...attributes, ...cookie }),
  )
}

/** Over https, browsers then refuse cookies set by a subdomain or over plain http. */
const cookieName = (request: FastifyRequest, name: string) => (isSecure(request) ? `__Host-${name}` : name)

const isSecure = (request: FastifyRequest) => request.server.isHttps || request.protocol === 'https'

declare module 'fastify' {
  interface FastifyInstance {
    /** Users connect over https, even if the last hop is plain http. */
    isHttps: boolean
  }
}

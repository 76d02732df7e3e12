import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Result } from '../endpoint/call.ts'

const SESSION_COOKIE = 'atrium_session'
const FLOW_COOKIE = 'atrium_flow'
const FLOW_SECONDS = 600
const DEVICE_COOKIE = 'atrium_device'
const DEVICE_SECONDS = 15_552_000
const EXPIRED = { value: '', expires: new Date(0), maxAge: 0 }

/** The name under which this request would send its session. */
export const sessionCookieNameOf = (request: FastifyRequest) => cookieName(request, SESSION_COOKIE)

export const sessionCookieOf = (request: FastifyRequest) => cookieOf(request, SESSION_COOKIE)

/** Sets, extends or clears the session cookie; an extension without a session to extend is ignored. */
export function applySession(
  request: FastifyRequest,
  reply: FastifyReply,
  change: NonNullable<Result['session']>,
): void {
  if (change === 'ended') {
    setCookie(request, reply, SESSION_COOKIE, EXPIRED)
    return
  }
  const value = change.token ?? sessionCookieOf(request)
  if (value) setCookie(request, reply, SESSION_COOKIE, { value, expires: change.expiresAt })
}

export const flowCookieOf = (request: FastifyRequest) => cookieOf(request, FLOW_COOKIE)

/** Binds an OAuth sign-in, which continues on another site, to the browser that started it. */
export const setFlowCookie = (request: FastifyRequest, reply: FastifyReply, value: string | null) =>
  setCookie(request, reply, FLOW_COOKIE, value === null ? EXPIRED : { value, maxAge: FLOW_SECONDS })

export const deviceCookieOf = (request: FastifyRequest) => cookieOf(request, DEVICE_COOKIE)

/** Remembers that this browser has signed in. It outlives the session and does not sign in. */
export const setDeviceCookie = (request: FastifyRequest, reply: FastifyReply, value: string) =>
  setCookie(request, reply, DEVICE_COOKIE, { value, maxAge: DEVICE_SECONDS })

/** Parsed on demand: requests with an API key have no cookies. */
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
  // Fastify appends: each cookie is a header of its own, and the last one of a name applies.
  reply.header(
    'set-cookie',
    stringifySetCookie({ name: cookieName(request, name), ...attributes, ...cookie }),
  )
}

/** Over https the prefix makes browsers refuse a cookie that was set by a subdomain or over plain http. */
const cookieName = (request: FastifyRequest, name: string) => (isSecure(request) ? `__Host-${name}` : name)

const isSecure = (request: FastifyRequest) => request.server.isHttps || request.protocol === 'https'

declare module 'fastify' {
  interface FastifyInstance {
    /** Users reach this server over https, even if the last hop is plain http. */
    isHttps: boolean
  }
}

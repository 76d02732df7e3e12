import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'atrium_session'
const FLOW_NAME = 'atrium_flow'
const FLOW_SECONDS = 600
const GONE = { value: '', expires: new Date(0), maxAge: 0 }

export const sessionCookieOf = (request: FastifyRequest) => cookieOf(request, NAME)

export const setSessionCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  expires: Date,
) => setCookie(request, reply, NAME, { value, expires })

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply) =>
  setCookie(request, reply, NAME, GONE)

export const flowCookieOf = (request: FastifyRequest) => cookieOf(request, FLOW_NAME)

/** Ties a sign-in that leaves for another site to the browser that began it. */
export const setFlowCookie = (request: FastifyRequest, reply: FastifyReply, value: string | null) =>
  setCookie(request, reply, FLOW_NAME, value === null ? GONE : { value, maxAge: FLOW_SECONDS })

/** Read only when somebody asks: a request with a key has none. */
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
  const place = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) } as const
  // Several of these are sent as several lines, and a later one of the same name decides.
  reply.header('set-cookie', stringifySetCookie({ name: cookieName(request, name), ...place, ...cookie }))
}

/** On https the prefix makes browsers refuse a cookie planted by a subdomain or over plain http. */
const cookieName = (request: FastifyRequest, name: string) => (isSecure(request) ? `__Host-${name}` : name)

const isSecure = (request: FastifyRequest) => request.server.isHttps || request.protocol === 'https'

declare module 'fastify' {
  interface FastifyInstance {
    /** People reach this server over https, whatever the last hop is. */
    isHttps: boolean
  }
}

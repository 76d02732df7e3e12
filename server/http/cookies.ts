import type { FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'atrium_session'
const FLOW_NAME = 'atrium_flow'

export const sessionCookieOf = (request: FastifyRequest): string | undefined =>
  request.cookies[cookieName(request)]

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  expires: Date,
): void {
  reply.setCookie(cookieName(request), token, { ...attributes(request), expires })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(cookieName(request), attributes(request))
}

const FLOW_SECONDS = 600

export const flowCookieOf = (request: FastifyRequest): string | undefined =>
  request.cookies[cookieName(request, FLOW_NAME)]

/** Ties a sign-in that leaves for another site to the browser that began it. */
export function setFlowCookie(request: FastifyRequest, reply: FastifyReply, value: string | null): void {
  const name = cookieName(request, FLOW_NAME)
  if (value === null) reply.clearCookie(name, attributes(request))
  else reply.setCookie(name, value, { ...attributes(request), maxAge: FLOW_SECONDS })
}

/** On https the prefix makes browsers refuse a cookie planted by a subdomain or over plain http. */
const cookieName = (request: FastifyRequest, name = NAME) => (isSecure(request) ? `__Host-${name}` : name)

const attributes = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) }) as const

const isSecure = (request: FastifyRequest) => request.server.isHttps || request.protocol === 'https'

declare module 'fastify' {
  interface FastifyInstance {
    /** People reach this server over https, whatever the last hop is. */
    isHttps: boolean
  }
}

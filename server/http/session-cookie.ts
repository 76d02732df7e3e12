import type { FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'atrium_session'
const SECURE_NAME = `__Host-${NAME}`

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

/** On https the prefix makes browsers refuse a cookie planted by a subdomain or over plain http. */
const cookieName = (request: FastifyRequest) => (isSecure(request) ? SECURE_NAME : NAME)

const attributes = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) }) as const

const isSecure = (request: FastifyRequest) => request.server.isHttps || request.protocol === 'https'

declare module 'fastify' {
  interface FastifyInstance {
    /** People reach this server over https, whatever the last hop is. */
    isHttps: boolean
  }
}

import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createLocalRateLimit } from '../concurrency/local-rate-limit.ts'
import { inTurn, type Turns } from '../concurrency/turns.ts'
import { forClient } from '../concurrency/work-scope.ts'
import type { Caller } from '../context.ts'
import { ApiError, Busy, forbidden } from '../errors.ts'
import type { Exchange } from '../mcp/environment.ts'
import type { Mcp } from '../mcp/mcp.ts'
import { lazyAbortOnClose } from './abort-on-close.ts'
import { requestOrigin } from './call.ts'
import { callTurnKey } from './mount.ts'
import type { KnownCredentials } from './strangers.ts'

interface McpMountOptions {
  mcp: Mcp
  publicUrl: string | null
  turns: Pick<Turns, 'begin'>
  known: KnownCredentials
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | null
  }
}

export const MCP_PATH = '/mcp'

/** Matches the largest endpoint a tool calls. */
const BODY_BYTES_MAX = 4_194_304
const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' }
/** Per credential. A model makes a few calls per second, and endpoints have their own limits. */
const REQUESTS = { perSecond: 50, burst: 500 }

/** Identifies the caller before reading the body. */
export function serveMcp(http: FastifyInstance, { mcp, publicUrl, turns, known }: McpMountOptions): void {
  const limit = createLocalRateLimit(REQUESTS)
  const requireRate = ({ credentialId }: Pick<Caller, 'credentialId'>) => {
    if (!limit.tryAcquire(credentialId))
      throw new Busy('RATE_LIMITED', 'Too many requests to the MCP server', 1)
  }
  http.decorateRequest('exchange', null)
  http.addHook('onClose', () => mcp.close())
  http.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    bodyLimit: BODY_BYTES_MAX,
    onRequest: async (request, reply) => {
      refuseRebinding(request, publicUrl)
      const origin = requestOrigin(request, publicUrl)
      const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const refusal = (reason?: ApiError) => unauthenticated(origin.baseUrl, bearer !== undefined, reason)
      const signal = lazyAbortOnClose(reply)
      const identify = (token: string) => forClient(signal, () => mcp.identify(token, request.ip))
      const caller = bearer ? await identify(bearer).catch(asRefusal(refusal)) : null
      if (!caller) throw refusal()
      known.accept(request, caller.caller)
      requireRate(caller.caller)
      request.exchange = {
        caller,
        identifiedAt: request.raw.complete ? performance.now() : null,
        origin,
        requestId: request.id,
        signal,
      }
    },
    handler: async (request, reply) => {
      const exchange = request.exchange!
      const { caller } = exchange.caller
      if (Array.isArray(request.body))
        // A batch's first message is already counted.
        for (const _message of request.body.slice(1)) requireRate(caller)
      const turn = await turns.begin(callTurnKey({ caller, origin: exchange.origin }), exchange.signal)
      return inTurn(turn, async () => {
        const answer = await forClient(exchange.signal, () => mcp.answerCall(request, exchange))
        if (answer !== null) return reply.headers(JSON_HEADERS).send(answer)
        return send(await mcp.handle(webRequestOf(request, publicUrl), request.body, exchange), reply)
      })
    },
  })
}

/**
 * DNS rebinding: a page name resolving to this machine reaches the server from a browser, with that name in both
 * headers. Names only a local network resolves can't belong to such a page.
 */
function refuseRebinding(request: FastifyRequest, publicUrl: string | null): void {
  const ownHostname = publicUrl === null ? null : new URL(publicUrl).hostname
  const isOwn = (hostname: string) => hostname === ownHostname || isLocalName(hostname)
  const { origin } = request.headers
  if (!isOwn(hostnameOf(`http://${request.host}`)))
    throw forbidden('The Host header names another server: set ATRIUM_PUBLIC_URL to this server’s URL', {
      reason: 'foreign_host',
    })
  if (origin !== undefined && !isOwn(hostnameOf(origin)))
    throw forbidden('This request came from another site', { reason: 'cross_site' })
}

const hostnameOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')

function isLocalName(hostname: string): boolean {
  if (hostname === '') return false
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(name) !== 0 || !name.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(name)
}

/** Keeps the refusal's message, such as for an expired key. */
const asRefusal = (refusal: (reason: ApiError) => ApiError) => (error: unknown) => {
  throw error instanceof ApiError && error.code === 'UNAUTHORIZED' ? refusal(error) : error
}

/** Clients find the authorization server through this metadata. */
function unauthenticated(baseUrl: string, isInvalid: boolean, reason?: ApiError): ApiError {
  const metadata = `${baseUrl}/.well-known/oauth-protected-resource${MCP_PATH}`
  const challenge = [
    ...(isInvalid ? ['error="invalid_token"'] : []),
    `resource_metadata="${metadata}"`,
    'scope="mcp:read"',
  ]
  const message = isInvalid
    ? 'The bearer token is unknown, expired or revoked'
    : 'Send an API key or an access token as "Authorization: Bearer <token>"'
  return new ApiError('UNAUTHORIZED', reason?.message ?? message, {
    ...(reason?.details && { details: reason.details }),
    headers: { 'www-authenticate': `Bearer ${challenge.join(', ')}` },
  })
}

/** No later step needs the bearer token. */
function webRequestOf(request: FastifyRequest, publicUrl: string | null): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined || name === 'authorization' || name === 'cookie'
      ? []
      : [[name, String(value)] as [string, string]],
  )
  const url = `${publicUrl ?? 'http://localhost'}${MCP_PATH}`
  return new Request(url, { method: request.method, headers })
}

async function send(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.status(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  reply.header('cache-control', 'no-store')
  if (response.headers.get('content-type')?.startsWith('text/event-stream'))
    return reply.send(Readable.fromWeb(response.body as never))
  return reply.send(await response.text())
}

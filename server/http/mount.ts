import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { inTurn, type TurnKey, type Turns } from '../concurrency/turns.ts'
import { forClient } from '../concurrency/work-scope.ts'
import type { Call, Result } from '../endpoint/call.ts'
import type { Invoker, Operation } from '../endpoint/invoke.ts'
import { lazyAbortOnClose } from './abort-on-close.ts'
import { authenticateCaller, type Identify, refuseCrossSite } from './authenticate.ts'
import { acceptBytes, drain } from './bodies.ts'
import { readCallInput, requestOrigin } from './call.ts'
import { isNotModified } from './compress.ts'
import { applySession, setDeviceCookie, setFlowCookie } from './cookies.ts'
import type { ErrorFormat } from './errors.ts'
import { acceptLargeBodies, type BodySpool } from './large-bodies.ts'
import { type KnownCredentials, networkTurnKey } from './strangers.ts'

export interface MountOptions {
  invoker: Invoker
  identify: Identify
  /** On a separate pool: a transaction waiting for a check must not hold the connection it needs. */
  reidentify: Identify
  publicUrl: string | null
  turns: Pick<Turns, 'begin'>
  known: KnownCredentials
  bodySpool: BodySpool
}

declare module 'fastify' {
  interface FastifyContextConfig {
    form?: boolean
    errors?: ErrorFormat
  }
  interface FastifyRequest {
    /** Null until the caller is authenticated and the origin is known. */
    call: Call | null
    clientSignal: (() => AbortSignal) | null
  }
}

export function mount(http: FastifyInstance, operation: Operation, options: MountOptions): void {
  const { invoker, identify, reidentify, publicUrl, turns, known } = options
  const { endpoint } = operation
  const declaration: RouteOptions = {
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyBytesMax,
    config: {
      form: endpoint.form ?? false,
      errors: endpoint.errors ?? 'api',
    },
    onRequest: async (request, reply) => {
      if (endpoint.cors) reply.headers(CROSS_ORIGIN)
      else refuseCrossSite(request, publicUrl, { isStream: endpoint.bytes === 'events' })
      const signal = lazyAbortOnClose(reply)
      request.clientSignal = signal
      const caller = await forClient(signal, () => authenticateCaller(request, endpoint.access, identify))
      if (caller) known.accept(request, caller)
      const { params, query } = request as Pick<Call, 'params' | 'query'>
      const isComplete = () => request.raw.complete
      request.call = {
        caller,
        reidentify: () => authenticateCaller(request, endpoint.access, reidentify),
        identifiedAt: isComplete() ? performance.now() : null,
        isComplete,
        origin: requestOrigin(request, publicUrl),
        params,
        query,
        acceptsParts: true,
        signal: endpoint.heavy && signal(),
      }
      const call = request.call
      const { headers, refusal } = await forClient(signal, () => invoker.admit(operation, call))
      request.call.refusal = refusal
      reply.headers(headers)
    },
    handler: async (request, reply) => {
      const call = Object.assign(request.call!, readCallInput(request, endpoint))
      const run = async () =>
        send(await forClient(request.clientSignal!, () => invoker.run(operation, call)), request, reply)
      try {
        if (!takesTurn(endpoint, call)) return await run()
        return await inTurn(await turns.begin(callTurnKey(call), request.clientSignal!), run)
      } catch (error) {
        drain(request.raw)
        throw error
      }
    },
  }
  if (endpoint.cors) acceptPreflight(http, endpoint)
  if (endpoint.raw) {
    void http.register(async (scope) => {
      acceptBytes(scope)
      scope.route(declaration)
    })
  } else if (operation.parseLarge) {
    void http.register(async (scope) => {
      acceptLargeBodies(scope, options.bodySpool)
      scope.route(declaration)
    })
  } else http.route(declaration)
}

/** Heavy calls have their own queue, and uploads mostly wait. */
const takesTurn = ({ heavy, raw, method }: Endpoint, { form }: Call): boolean =>
  !heavy && !form && !(raw && method === 'PUT')

/** Separate turns keep share link guests from delaying members. */
export function callTurnKey({ caller, origin }: Pick<Call, 'caller' | 'origin'>): TurnKey {
  if (!caller) return networkTurnKey(origin.ip)
  return caller.share
    ? { name: `guests ${caller.orgId}`, isTrusted: false }
    : { name: caller.orgId, isTrusted: true }
}

function send(result: Result, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body, bytes, stream, session, flow, device } = result
  if (session) applySession(request, reply, session)
  if (device) setDeviceCookie(request, reply, device)
  if (flow) setFlowCookie(request, reply, flow === 'ended' ? null : flow.secret)
  if (stream !== undefined)
    return reply
      .status(status)
      .headers(headers)
      .send(stream ?? undefined)
  const { etag } = headers
  reply.header('cache-control', etag ? 'private, no-cache' : 'no-store').headers(headers)
  if (status === 302) return reply.status(status).send()
  if (etag && isNotModified(request, etag)) return reply.status(304).send()
  return reply
    .status(status)
    .type('application/json; charset=utf-8')
    .send(bytes ?? body)
}

/** Without `access-control-allow-credentials`, browsers send no cookies, so pages read only what any program can. */
const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate, retry-after, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
}

function acceptPreflight(http: FastifyInstance, { method, path }: Endpoint): void {
  http.options(path, async (_request, reply) =>
    reply
      .status(204)
      .headers({
        ...CROSS_ORIGIN,
        'access-control-allow-methods': `${method}, OPTIONS`,
        'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
        'access-control-max-age': '86400',
      })
      .send(),
  )
}

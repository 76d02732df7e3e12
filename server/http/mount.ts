import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { ReceivedFile } from '../../contract/endpoint.ts'
import type { Caller, Context, Origin, PublicContext } from '../context.ts'
import { createContext } from '../context.ts'
import { etagOf, isFresh } from '../endpoint/etag.ts'
import { answerOnce } from '../endpoint/idempotency.ts'
import { enforceLimit } from '../endpoint/limit.ts'
import { inputParser } from '../endpoint/parse.ts'
import { permit } from '../endpoint/permit.ts'
import type { Route } from '../endpoint/route.ts'
import { Reply } from '../endpoint/route.ts'
import { serialiser } from '../endpoint/serialise.ts'
import { ApiError } from '../errors.ts'
import { authenticate, authenticateGuest, isGuest, refuseCrossSite } from './authenticate.ts'
import { acceptBytes } from './bodies.ts'
import {
  clearSessionCookie,
  flowCookieOf,
  sessionCookieOf,
  setFlowCookie,
  setSessionCookie,
} from './cookies.ts'
import { drain } from './drain-body.ts'
import type { HttpOptions } from './http.ts'

type AnyContext = Context | PublicContext

/** What is sent: kept as a value, so that an idempotent answer can be stored and replayed as it was. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
  bytes?: Readable | null
  /** Sent before, to the first request with the same key. */
  isReplay?: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    form?: boolean
    errors?: 'api' | 'oauth'
  }
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** Turns an endpoint and its function into a route. The order is the policy: who, may they, how often, what. */
export function mount(http: FastifyInstance, route: Route, options: HttpOptions): void {
  const { endpoint } = route
  const { access, limit } = endpoint
  const parse = inputParser(endpoint, options.receive)
  const serialise = serialiser(endpoint, options.checkOutput ?? false)
  const run = route.run as (ctx: AnyContext, input: unknown) => Promise<unknown>
  const prepare = route.prepare as ((ctx: AnyContext, input: unknown) => Promise<unknown>) | undefined

  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseCrossSite(request, options.publicUrl)
    request.caller = null
    if (access.kind !== 'public' && access.kind !== 'signature') {
      const takesGuests = access.kind === 'member' && access.share && isGuest(request)
      request.caller = await (takesGuests ? authenticateGuest : authenticate)(request, options.identify)
      permit(access, request.caller, request, options.now())
    } else if (access.kind === 'public' && access.identify) {
      request.caller = await authenticate(request, options.identify).catch(asNobody)
    }
    if (limit) await enforceLimit(options.pool, limit, request, reply, options.now())
  }

  const answer = async (
    ctx: AnyContext,
    input: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Answer> => {
    const result = await run(ctx, input)
    const { body, options: extra } = result instanceof Reply ? result : new Reply(result, {})
    if (extra.session) applySession(extra.session, request, reply)
    if (extra.flow) setFlowCookie(request, reply, extra.flow === 'ended' ? null : extra.flow.secret)
    const headers: Record<string, string> = {}
    if (extra.redirect) return { status: 302, headers: { location: extra.redirect }, body: '' }
    if (extra.bytes) return bytesOf(extra)
    if (extra.version !== undefined) headers.etag = etagOf(extra.version)
    return { status: extra.status ?? endpoint.status ?? 200, headers, body: serialise(body) }
  }

  const declaration: RouteOptions = {
    method: endpoint.method,
    url: endpoint.path,
    onRequest,
    bodyLimit: endpoint.bodyBytesMax,
    config: {
      form: endpoint.form ?? false,
      errors: endpoint.errors ?? 'api',
    },
    handler: async (request, reply) => {
      const ctx = contextOf(request, options)
      let upload: ReceivedFile | undefined
      let sent: Answer | undefined
      try {
        const input = await parse(request, ctx)
        upload = input.upload
        let ready: unknown = input
        const makeReady = prepare && (async () => (ready = await prepare(ctx, input)))
        const work = (inside: AnyContext) => answer(inside, ready, request, reply)
        const key = endpoint.idempotent ? request.headers['idempotency-key'] : undefined
        const content = upload ? contentOf(input, upload) : request.body
        if (key === undefined) {
          await makeReady?.()
          sent = await work(ctx)
        } else {
          const asked = { key: String(key), request, content, makeReady }
          sent = await answerOnce(ctx as Context, asked, work)
        }
      } finally {
        if (!sent) drain(request.raw)
        if (upload && (!sent || sent.isReplay)) await letGo(ctx as Context, upload, options)
      }
      return send(sent, request, reply)
    },
  }
  if (endpoint.raw) {
    void http.register(async (scope) => {
      acceptBytes(scope)
      scope.route(declaration)
    })
  } else http.route(declaration)
}

/** What tells one form from another, wherever its file was stored. */
const contentOf = (input: object, { key: _key, ...upload }: ReceivedFile) => ({ ...input, upload })

/** What cannot be removed now is found by the sweep; the caller gets the answer that was meant for them. */
async function letGo(ctx: Context, upload: ReceivedFile, { receive, log }: HttpOptions): Promise<void> {
  await receive
    .discard(ctx, upload)
    .catch((err) => log.warn({ err }, 'could not remove an upload that was refused'))
}

const bytesOf = ({ status = 200, bytes }: Reply<unknown>['options']): Answer => ({
  status,
  headers: bytes!.headers,
  body: '',
  bytes: bytes!.content,
})

function send(answer: Answer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (answer.bytes !== undefined) {
    return reply
      .status(answer.status)
      .headers(answer.headers)
      .send(answer.bytes ?? undefined)
  }
  const { etag } = answer.headers
  reply.header('cache-control', etag ? 'private, no-cache' : 'no-store').headers(answer.headers)
  if (etag && isFresh(request, etag)) return reply.status(304).send()
  return reply.status(answer.status).type('application/json; charset=utf-8').send(answer.body)
}

function contextOf(
  request: FastifyRequest,
  { pool, now, vault, objects, outbound, publicUrl }: HttpOptions,
): AnyContext {
  const { caller } = request
  const room = { origin: originOf(request, publicUrl), sql: pool, now, vault, objects, outbound }
  return createContext({ ...room, caller }) as AnyContext
}

const originOf = (request: FastifyRequest, publicUrl: string | null): Origin => ({
  address: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
  baseUrl: publicUrl ?? `${request.protocol}://${request.host}`,
  flow: flowCookieOf(request) ?? null,
})

/** Where signing in is optional, a credential that does not hold is none. */
function asNobody(error: unknown): null {
  if (error instanceof ApiError && error.code === 'UNAUTHORIZED') return null
  throw error
}

type SessionChange = NonNullable<Reply<unknown>['options']['session']>

function applySession(change: SessionChange, request: FastifyRequest, reply: FastifyReply): void {
  const token = change === 'ended' ? undefined : (change.token ?? sessionCookieOf(request))
  if (change === 'ended') clearSessionCookie(request, reply)
  else if (token) setSessionCookie(request, reply, token, change.expiresAt)
}

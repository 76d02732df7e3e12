import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { hasMoreValues } from '../../endpoint/count-values.ts'
import type { Exchange, McpEnvironment } from '../environment.ts'
import type { McpHandler } from '../mcp.ts'
import { createLegacyHandler } from './legacy.ts'
import { answerPlainCall, asModern } from './plain-call.ts'
import { createServer } from './server.ts'

/** Serves revision 2026-07-28 and, statelessly, those since 2025-03-26, at one URL. */
export function createHandler(env: McpEnvironment): McpHandler {
  const serverFor = ({ authInfo }: McpRequestContext) => {
    const { body, exchange } = authInfo!.extra as unknown as ServerInput
    return createServer(body, { env, exchange, session: null, isLegacy: false })
  }
  const onerror = (err: Error) => env.log.debug({ err }, 'an MCP request was refused')
  const modern = createMcpHandler(serverFor, {
    legacy: 'reject',
    maxSubscriptions: SUBSCRIPTIONS_MAX,
    onerror,
  })
  const legacy = createLegacyHandler(env)
  return {
    answerCall: (message, exchange) => answerPlainCall(env, message, exchange),
    async handle(request, body, exchange) {
      if (hasMoreValues(withoutArguments(body), VALUES_MAX)) return tooManyValues()
      if (!namesRevision(body) && (await isLegacyRequest(request, body)))
        return legacy(request, body, exchange)
      if (isPing(body)) return Response.json({ jsonrpc: '2.0', id: body.id, result: asModern({}) })
      const limitedRequest = isSubscription(body) ? withTimeLimit(request, exchange) : request
      return modern.fetch(limitedRequest, { authInfo: authInfoOf({ body, exchange }), parsedBody: body })
    },
    close: () => modern.close(),
  }
}

/** The SDK reports on each value with a wrong type. The largest messages that clients send have a few hundred. */
const VALUES_MAX = 5000

/** The SDK takes a tool's arguments as they are. */
function withoutArguments(body: unknown): unknown {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: Record<string, unknown> }
  if (method !== 'tools/call' || !params || typeof params.arguments !== 'object') return body
  const { arguments: input, ...others } = params
  return Array.isArray(input) ? body : { ...(body as object), params: others }
}

const tooManyValues = () =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'The message has too many values' } },
    { status: 400 },
  )

/** Requests since 2026-07-28 name their revision. Checking everything twice costs 36 µs. */
const namesRevision = (body: unknown): boolean => {
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> } }
  return params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined
}

/** Removed in 2026-07-28, but Python's FastMCP still sends it first in that revision. */
const isPing = (body: unknown): body is { id: string | number } => {
  const { method, id } = (body ?? {}) as { method?: unknown; id?: unknown }
  return method === 'ping' && (typeof id === 'string' || typeof id === 'number')
}

/** No list changes while a client is connected, so these streams send nothing. */
const SUBSCRIPTIONS_MAX = 100
const SUBSCRIPTION_MS = 110_000

const isSubscription = (body: unknown) =>
  (body as { method?: unknown } | undefined)?.method === 'subscriptions/listen'

/** Like every stream, ends within two minutes. The client is then identified again. */
const withTimeLimit = (request: Request, { signal }: Exchange) =>
  new Request(request, { signal: AbortSignal.any([signal(), AbortSignal.timeout(SUBSCRIPTION_MS)]) })

interface ServerInput {
  body: unknown
  exchange: Exchange
}

const authInfoOf = (input: ServerInput) => ({ token: '', clientId: '', scopes: [], extra: { ...input } })

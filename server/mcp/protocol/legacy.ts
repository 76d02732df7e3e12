import {
  isInitializeRequest,
  isJSONRPCResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Exchange, McpEnvironment } from '../environment.ts'
import { createSessionId, readSessionId } from './client-info.ts'
import { CONFIRMED_TOOL } from './confirm.ts'
import { createServer } from './server.ts'

const SESSION_HEADER = 'mcp-session-id'

type LegacyHandler = (request: Request, body: unknown, exchange: Exchange) => Promise<Response>

/**
 * For revisions before 2026-07-28. One server per request, without state. A request that may ask the user stays open
 * until the answer reaches this process in another request.
 */
export function createLegacyHandler(env: McpEnvironment): LegacyHandler {
  const waiting = new Map<string, WebStandardStreamableHTTPServerTransport>()

  return async (request, body, exchange) => {
    if (request.method !== 'POST') return methodNotAllowed()
    const id = request.headers.get(SESSION_HEADER)
    const session = readSessionId(env.vault, id)
    const key = `${exchange.caller.caller.credentialId} ${id}`
    const waitingTransport = waiting.get(key)
    if (waitingTransport && isJSONRPCResponse(body)) {
      waitingTransport.onmessage?.(body)
      return new Response(null, { status: 202 })
    }
    const mayAsk = session?.canElicit === true && !waitingTransport && mayRequireConfirmation(body)
    const canElicit = mayAsk
    const server = createServer(body, {
      ...{ env, exchange, isLegacy: true },
      session: session && { ...session, canElicit },
    })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: !mayAsk,
    })
    await server.connect(transport)
    const end = () => {
      if (waiting.get(key) === transport) waiting.delete(key)
      void server.close()
    }
    if (mayAsk) waiting.set(key, transport)
    const response = await transport.handleRequest(request, { parsedBody: body })
    if (isInitializeRequest(body))
      response.headers.set(SESSION_HEADER, createSessionId(env.vault, body.params))
    // Aborts when the response ends, successful or not.
    if (mayAsk) exchange.signal().addEventListener('abort', end, { once: true })
    else end()
    return response
  }
}

/** Other calls need no stream. */
const mayRequireConfirmation = (body: unknown): boolean => {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' && params?.name === CONFIRMED_TOOL
}

const methodNotAllowed = () =>
  Response.json(
    { jsonrpc: '2.0', error: { code: -32_000, message: 'Method not allowed.' }, id: null },
    { status: 405, headers: { allow: 'POST' } },
  )

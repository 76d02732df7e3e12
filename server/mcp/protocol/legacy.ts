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
 * Serves the revisions before 2026-07-28: a server per request, and no state between requests. A request that may ask the
 * user of the client stays open as a stream until the answer arrives in another request to this process.
 */
export function createLegacyHandler(env: McpEnvironment): LegacyHandler {
  /** Requests that wait for an answer, by credential and session. */
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
    // The signal aborts with the end of the response, whether it succeeds or fails.
    if (mayAsk) exchange.signal().addEventListener('abort', end, { once: true })
    else end()
    return response
  }
}

/** Only an edit that deletes many blocks asks the user; any other call is answered without a stream. */
const mayRequireConfirmation = (body: unknown): boolean => {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return method === 'tools/call' && params?.name === CONFIRMED_TOOL
}

const methodNotAllowed = () =>
  Response.json(
    { jsonrpc: '2.0', error: { code: -32_000, message: 'Method not allowed.' }, id: null },
    { status: 405, headers: { allow: 'POST' } },
  )

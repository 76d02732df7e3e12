import type { IncomingHttpHeaders } from 'node:http'
import {
  classifyInboundRequest,
  isJsonContentType,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { callTool, isTool, planCall, type RequestedCall } from '../call-tool.ts'
import type { Exchange, McpEnvironment } from '../environment.ts'
import type { ToolResult } from '../tool-result.ts'
import { identifyClient, readSessionId } from './client-info.ts'
import { CONFIRMED_TOOL } from './confirm.ts'
import { INFO } from './server.ts'

export interface McpMessage {
  headers: IncomingHttpHeaders
  body: unknown
}

interface PlainCall {
  id: string | number
  requested: RequestedCall
  isModern: boolean
}

/**
 * The SDK would create a server, request and response, which costs as much as the rest of the call. Null for other
 * messages: the SDK serves them and can explain errors.
 */
export async function answerPlainCall(
  env: McpEnvironment,
  message: McpMessage,
  exchange: Exchange,
): Promise<string | null> {
  const call = plainCallOf(env, message, exchange)
  if (!call) return null
  const { id, requested, isModern } = call
  const result = await callTool(env, exchange, requested, () => planCall(exchange, requested))
  return JSON.stringify({ result: isModern ? asModern(result) : result, jsonrpc: '2.0', id })
}

function plainCallOf(
  { vault }: McpEnvironment,
  { headers, body }: McpMessage,
  exchange: Exchange,
): PlainCall | null {
  if (!isToolCall(body) || !isJsonContentType(headers['content-type'] ?? null)) return null
  const { name, arguments: input, _meta: meta, ...otherParams } = body.params
  if (!isTool(name) || !(input === undefined || isObject(input)) || Object.keys(otherParams).length > 0)
    return null
  const revision = textOf(headers['mcp-protocol-version'])
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: revision,
    mcpMethodHeader: textOf(headers['mcp-method']),
    body,
  })
  const isModern = outcome.kind === 'modern' && hasModernHeaders(headers, name)
  if (!isModern && !(outcome.kind === 'legacy' && hasEarlierHeaders(headers, revision))) return null
  const session = isModern ? null : readSessionId(vault, textOf(headers['mcp-session-id']) ?? null)
  const client = identifyClient(exchange, isModern ? meta : undefined, session)
  if (client.canElicit && name === CONFIRMED_TOOL) return null
  return { id: body.id, requested: { name, input, meta, client }, isModern }
}

interface ToolCallBody {
  id: string | number
  params: { name: string; arguments?: unknown; _meta?: Record<string, unknown> }
}

/** `classifyInboundRequest` checks the rest. */
const isToolCall = (body: unknown): body is ToolCallBody =>
  isObject(body) && body.method === 'tools/call' && isObject(body.params)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : undefined)

/** Requests since 2026-07-28 repeat these from the body, so proxies needn't read it. */
const hasModernHeaders = (headers: IncomingHttpHeaders, name: string) =>
  headers['mcp-protocol-version'] !== undefined &&
  headers['mcp-method'] !== undefined &&
  headers['mcp-name'] === name

const hasEarlierHeaders = ({ accept = '' }: IncomingHttpHeaders, revision: string | undefined) =>
  revision !== undefined &&
  SUPPORTED_PROTOCOL_VERSIONS.includes(revision) &&
  accept.includes('application/json') &&
  accept.includes('text/event-stream')

const SERVER_META = { [SERVER_INFO_META_KEY]: INFO }

export const asModern = (result: ToolResult | Record<string, never>) => ({
  ...result,
  resultType: 'complete',
  _meta: SERVER_META,
})

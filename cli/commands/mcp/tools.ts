import { ApiFailure } from '../../../client/client.ts'
import atrium from '../../../package.json' with { type: 'json' }
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect } from '../../connect.ts'
import { explain, Failure, notAtrium } from '../../failure.ts'
import { parseJson } from '../../parse.ts'
import { print, printData, printTable, sanitize, sanitizeLines } from '../../terminal.ts'

interface Options {
  server?: string
  json?: boolean
}

interface ListedTool {
  name: string
  description: string
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean }
}

export async function listTools(options: Options, environment: CliEnvironment): Promise<void> {
  const { tools } = await requestMcp(await connect(options.server, environment), 'tools/list')
  const list = tools as ListedTool[]
  if (options.json) return printData({ tools: list })
  printTable([
    ['TOOL', 'CHANGES', 'USE'],
    ...list.map(({ name, description, annotations: { readOnlyHint, destructiveHint } }) => [
      sanitize(name),
      readOnlyHint ? 'no' : destructiveHint ? 'deletes' : 'yes',
      sanitize(description.split(/(?<=\.) /)[0]!),
    ]),
  ])
}

interface ToolResult {
  content: { type: string; text?: string }[]
  structuredContent?: unknown
  isError?: boolean
}

/** A tool error is a failure. */
export async function callTool(
  name: string,
  input: string | undefined,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const args = input === undefined ? {} : parseJson(input)
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new Failure('usage', 'The input must be a JSON object', `Example: '{"query": "launch"}'`)
  const connection = await connect(options.server, environment)
  const result = await requestMcp(connection, 'tools/call', { name, arguments: args })
  const { content, structuredContent, isError } = result as unknown as ToolResult
  const text = content.map((part) => part.text ?? `(${part.type})`).join('\n')
  if (isError) throw new Failure('refused', sanitizeLines(text))
  if (structuredContent === undefined) print(sanitizeLines(text))
  else printData(structuredContent)
}

const REVISION = '2026-07-28'
const META = 'io.modelcontextprotocol'

const ENVELOPE = {
  [`${META}/protocolVersion`]: REVISION,
  [`${META}/clientInfo`]: { name: 'atrium-cli', version: atrium.version },
  [`${META}/clientCapabilities`]: {},
}

interface RpcResponse {
  result?: Record<string, unknown>
  error?: { code: unknown; message: string; requestId?: string; details?: { reason?: string } }
}

/** The protocol has no sessions, so there is no handshake. */
async function requestMcp(
  { server, request }: Connection,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const response = await request('/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } }),
  }).catch(() => {
    throw explain(new ApiFailure(0, { message: 'unreachable' }), server)
  })
  const rpcResponse = parseJson(await response.text()) as RpcResponse | undefined
  if (rpcResponse?.result) return rpcResponse.result
  if (!rpcResponse?.error) throw notAtrium(server, response.status)
  const { message } = rpcResponse.error
  if (response.status === 401)
    throw new Failure('not signed in', message, 'Run `npx atrium login` to sign in again.')
  throw new Failure(response.status === 403 ? 'refused' : 'failed', message)
}

import { ApiFailure } from '../../../client/client.ts'
import atrium from '../../../package.json' with { type: 'json' }
import type { Connection } from '../../connect.ts'
import { explain, Failure, notAtrium } from '../../failure.ts'
import { parseJson } from '../../parse-json.ts'

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

/** One request to the MCP server. The protocol has no sessions, so no handshake precedes it. */
export async function requestMcp(
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

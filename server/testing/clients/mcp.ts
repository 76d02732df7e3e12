import type { Headers, TestApp } from '../test-app.ts'

const REVISION = '2026-07-28'
const META = 'io.modelcontextprotocol'

interface McpClientOptions {
  name?: string
  capabilities?: object
}

/** Uses the newest revision, without a client's checks. */
export function createMcpClient(app: TestApp, credential: Headers, options: McpClientOptions = {}) {
  const envelope = {
    [`${META}/protocolVersion`]: REVISION,
    [`${META}/clientInfo`]: { name: options.name ?? 'Tester', version: '1' },
    [`${META}/clientCapabilities`]: options.capabilities ?? {},
  }

  async function send(method: string, params: Record<string, unknown> = {}, headers: Headers = {}) {
    const mcpName = params.name ?? params.uri
    return app.request('POST', '/mcp', {
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': REVISION,
        'mcp-method': method,
        ...(typeof mcpName === 'string' && { 'mcp-name': mcpName }),
        ...credential,
        ...headers,
      },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, _meta: { ...envelope, ...(params._meta as object) } },
      },
    })
  }

  return {
    send,
    async result(method: string, params: Record<string, unknown> = {}) {
      const { status, body } = await send(method, params)
      if (!body?.result) throw new Error(`${method}: ${status} ${JSON.stringify(body)}`)
      return body.result
    },
    async call(name: string, input: unknown = {}, meta: object = {}) {
      const { body } = await send('tools/call', { name, arguments: input, _meta: meta })
      const { isError, content, structuredContent } = body.result ?? {}
      if (isError || !content) throw new Error(content?.[0].text ?? JSON.stringify(body))
      return structuredContent
    },
  }
}

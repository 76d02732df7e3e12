import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'

export interface FakeTool {
  name: string
  title?: string
  description?: string
  inputSchema?: unknown
  annotations?: Record<string, boolean>
}

type Result = { content: unknown[]; structuredContent?: unknown; isError?: boolean }
type Answer = (name: string, input: Record<string, unknown>) => Result | Promise<Result>

export const textResult = (text: string): Result => ({ content: [{ type: 'text', text }] })

const SCHEMA = { type: 'object', properties: { query: { type: 'string' } } }

/** The list and results can change while running. */
export async function startMcpServer(era: 'current' | 'earlier' = 'current') {
  let tools: FakeTool[] = [{ name: 'search', description: 'Searches the archive.' }]
  let answer: Answer = (name, input) => textResult(`${name} ${JSON.stringify(input)}`)
  /** Responds instead of the server, or returns false to leave the request to it. */
  let intercept: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean> = () =>
    false
  const calls: { name: string; input: unknown }[] = []
  const requests: IncomingMessage[] = []
  const info = { name: 'archive', title: 'Archive', version: '3.1' }
  const capabilities = { capabilities: { tools: {} }, instructions: 'INSTRUCTIONS OF THE SERVER' }
  const list = () => ({ tools: tools.map((tool) => ({ inputSchema: SCHEMA, ...tool })) }) as never
  const call = async ({ params }: { params: { name: string; arguments?: Record<string, unknown> } }) => {
    const input = params.arguments ?? {}
    calls.push({ name: params.name, input })
    return (await answer(params.name, input)) as never
  }

  const createCurrentServer = () => {
    const server = new Server(info, capabilities)
    server.setRequestHandler('tools/list', list)
    server.setRequestHandler('tools/call', call)
    return server
  }
  const handleCurrent = toNodeHandler(createMcpHandler(createCurrentServer, { legacy: 'reject' }))
  const handleEarlier = async (request: IncomingMessage, response: ServerResponse) => {
    const server = new LegacyServer(info, capabilities)
    server.setRequestHandler(ListToolsRequestSchema, list)
    server.setRequestHandler(CallToolRequestSchema, call)
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
    response.on('close', () => void server.close())
    await server.connect(transport as never)
    await transport.handleRequest(request, response)
  }
  const listener: RequestListener = async (request, response) => {
    requests.push(request)
    if (await intercept(request, response)) return
    await (era === 'current' ? handleCurrent(request, response) : handleEarlier(request, response))
  }
  const server = createServer((request, response) => listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    requests,
    list: (...next: FakeTool[]) => {
      tools = next
    },
    answer: (next: Answer) => {
      answer = next
    },
    intercept: (next: typeof intercept) => {
      intercept = next
    },
    reset() {
      tools = [{ name: 'search', description: 'Searches the archive.' }]
      answer = (name, input) => textResult(`${name} ${JSON.stringify(input)}`)
      intercept = () => false
      calls.length = 0
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import type { Exchange, McpEnvironment } from './environment.ts'
import type { IdentifyMcp } from './identify.ts'

export interface McpOptions extends McpEnvironment {
  identify: IdentifyMcp
}

/** The MCP server, without its transport: HTTP passes requests whose caller is identified. */
export interface Mcp {
  identify: IdentifyMcp
  handle: (request: Request, body: unknown, exchange: Exchange) => Promise<Response>
  close: () => Promise<void>
}

/** The package of the protocol and the lists of tools load with the first request. */
export function createMcp({ identify, ...env }: McpOptions): Mcp {
  let handler: Promise<Pick<Mcp, 'handle' | 'close'>> | undefined
  const load = () => {
    handler ??= import('./protocol/handler.ts').then(({ createHandler }) => createHandler(env))
    return handler
  }
  return {
    identify,
    handle: async (...exchange) => (await load()).handle(...exchange),
    close: async () => (await handler)?.close(),
  }
}

import type { Exchange, McpEnvironment } from './environment.ts'
import type { IdentifyMcp } from './identify.ts'
import type { McpMessage } from './protocol/plain-call.ts'

export interface McpOptions extends McpEnvironment {
  identify: IdentifyMcp
}

/** HTTP identifies the caller first. */
export interface Mcp extends McpHandler {
  identify: IdentifyMcp
}

export interface McpHandler {
  /** Null if not a plain tool call, which `handle` serves. */
  answerCall: (message: McpMessage, exchange: Exchange) => Promise<string | null>
  handle: (request: Request, body: unknown, exchange: Exchange) => Promise<Response>
  close: () => Promise<void>
}

/** Lazy: loads on the first request. */
export function createMcp({ identify, ...env }: McpOptions): Mcp {
  let handler: Promise<McpHandler> | undefined
  const load = () => {
    handler ??= import('./protocol/handler.ts').then(({ createHandler }) => createHandler(env))
    return handler
  }
  return {
    identify,
    answerCall: async (...message) => (await load()).answerCall(...message),
    handle: async (...exchange) => (await load()).handle(...exchange),
    close: async () => (await handler)?.close(),
  }
}

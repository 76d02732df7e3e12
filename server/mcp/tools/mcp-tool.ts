import type { z } from 'zod'
import type { Tool, ToolCall } from '../../tools/tool.ts'
import type { McpAccess } from '../identify.ts'

export interface McpToolCall extends ToolCall {
  access: McpAccess
  /** The name of the client. */
  client: string
  /** Aborts when the client has disconnected. */
  signal: () => AbortSignal
}

/** A tool of the MCP server. Those that runs have too are in server/tools. */
export interface McpTool<Input = never> extends Omit<Tool<Input>, 'run'> {
  /** Only for tools whose output programs read: each schema costs tokens in every list. */
  output?: z.ZodType
  run: (call: McpToolCall, input: Input) => Promise<unknown>
}

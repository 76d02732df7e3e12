import type { z } from 'zod'
import type { Tool, ToolCall } from '../../tools/tool.ts'
import type { McpAccess } from '../identify.ts'

export interface McpToolCall extends ToolCall {
  access: McpAccess
  client: string
  signal: () => AbortSignal
}

/** Tools shared with runs are in server/tools. */
export interface McpTool<Input = never> extends Omit<Tool<Input>, 'run'> {
  /** Only if programs read it: each schema costs tokens in every list. */
  output?: z.ZodType
  run: (call: McpToolCall, input: Input) => Promise<unknown>
}

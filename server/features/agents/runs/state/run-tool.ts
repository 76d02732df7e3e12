import { z } from 'zod'
import type { Sql } from '../../../../database/database.ts'
import type { Outbound } from '../../../../outbound/outbound.ts'
import type { Tool, ToolCall } from '../../../../tools/tool.ts'
import type { EngineRun } from './run-row.ts'

/** A tool of a run. Tools that MCP offers too are in server/tools; the others depend on the run. */
export interface RunTool<Input = never> extends Omit<Tool<Input>, 'run'> {
  /** Its output repeats messages of the conversation, which follow the guardrails for input. */
  isConversation?: true
  /** The schema that the model receives, if it is not that of `input`. */
  inputSchema?: object
  /**
   * The input with the values of its defaults, as it is stored and shown to the person who approves the call: a default
   * could change before the call is made.
   */
  pin?: (input: Input) => Input
  /** A rule of an admin for this tool. */
  rule?: 'ask' | 'allow'
  /** Waits for an answer of a person, which is its output. */
  asks?: true
  /** The host to which the call sends a request: the risk depends on whether a person named it. */
  hostIn?: (input: Input) => string
  /** Starts a child run, whose answer is its output. The engine starts it instead of `run`. */
  startsRun?: true
  /**
   * Whether a limit that a person set beforehand covers the call. A covered call requires an approval only if a rule
   * requires it; any other call requires an approval even if the tool is always allowed.
   */
  isCovered?: (sql: Sql, run: EngineRun, input: Input, now: Date) => Promise<boolean>
  run: (call: RunToolCall, input: Input) => Promise<unknown>
}

export interface RunToolCall extends ToolCall {
  run: EngineRun
  /** For the effect `transaction`, the transaction that also stores the result; `invoke` joins it. */
  sql: Sql
  outbound: Outbound
  signal: AbortSignal
}

const schemas = new WeakMap<z.ZodType, object>()

/** Cached: without the cache, the schemas of all tools took 3 ms of each step. */
export function schemaOf(input: z.ZodType): object {
  const schema = schemas.get(input) ?? z.toJSONSchema(input, { io: 'input' })
  schemas.set(input, schema)
  return schema
}

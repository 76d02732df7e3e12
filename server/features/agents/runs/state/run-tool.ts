import { z } from 'zod'
import type { Sql } from '../../../../database/database.ts'
import type { Outbound } from '../../../../outbound/outbound.ts'
import type { Tool, ToolCall } from '../../../../tools/tool.ts'
import type { OpenSearch } from '../../../knowledge/web-search/web-search.ts'
import type { WebDomains } from '../web/domains.ts'
import type { EngineRun } from './run-row.ts'

/** Tools that MCP offers too are in server/tools. */
export interface RunTool<Input = never> extends Omit<Tool<Input>, 'run'> {
  /** Repeats conversation messages, so input guardrails apply. */
  isConversation?: true
  /** If it differs from `input`. */
  inputSchema?: object
  /** Fills in defaults before the approver sees the call: they could change before it is made. */
  pin?: (input: Input) => Input
  rule?: 'ask' | 'allow'
  /** A member's answer is its output. */
  asks?: true
  /** The risk depends on whether a member named it. */
  hostIn?: (input: Input) => string
  /** Its risk depends on whether the run knows the URL already. */
  urlIn?: (input: Input) => string | null
  /** The engine starts a child run instead of `run`. */
  startsRun?: true
  /** The engine runs a program that calls the agent's tools instead of `run`. */
  runsProgram?: true
  /** Programs can't call it. */
  isOutsidePrograms?: true
  /**
   * A covered call needs approval only if a rule says so. Any other call needs it even if the tool is always allowed.
   */
  isCovered?: (sql: Sql, run: EngineRun, input: Input, now: Date) => Promise<boolean>
  run: (call: RunToolCall, input: Input) => Promise<unknown>
}

export interface RunToolCall extends ToolCall {
  run: EngineRun
  /** For the effect `transaction`, also stores the result. `invoke` joins it. */
  sql: Sql
  outbound: Outbound
  signal: AbortSignal
  web: WebAccess
  /** The call's place in its run. */
  step: number
  ordinal: number
  now: Date
}

export interface WebAccess {
  openSearch: OpenSearch
  limits: { searchesPerRun: number; fetchesPerRun: number }
  domains: WebDomains
}

const schemas = new WeakMap<z.ZodType, object>()

/** Cached: all schemas took 3 ms per step. */
export function toInputSchema(input: z.ZodType): object {
  const schema = schemas.get(input) ?? z.toJSONSchema(input, { io: 'input' })
  schemas.set(input, schema)
  return schema
}

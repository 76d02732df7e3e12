import type { z } from 'zod'
import type { EndpointName } from '../../../../contract/index.ts'
import type { Sql } from '../../../database/database.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import type { Effect, Risk } from '../calls/call-queries.ts'
import type { EngineRun } from '../engine/run-row.ts'

/** A tool that a run may call. */
export interface RunTool<Input = never> {
  name: string
  /** The first sentence says when to use it. */
  description: string
  input: z.ZodType<Input>
  /** May depend on the input: an action of the API may read or write. */
  effect: Effect | ((input: Input) => Effect)
  /** May depend on the input: an edit that deletes is riskier than one that adds. */
  risk: Risk | ((input: Input, run: Pick<EngineRun, 'trust' | 'projectId'>) => Risk)
  /** Its output comes from outside, always or as the output shows: the run is no longer trusted afterwards. */
  isOutside?: true | ((output: unknown) => boolean)
  /** Waits for an answer of a person, which is its output. */
  asks?: true
  /** What a person allows who always allows this call; by default the tool with every input. */
  grantName?: (input: Input) => string
  /** The action in words, for the person who approves it. */
  summarize?: (input: Input) => string
  /** Throws an ApiError to tell the model what is wrong. */
  run: (call: ToolCall, input: Input) => Promise<unknown>
}

/** Calls an endpoint as the run. */
export type InvokeTool = (name: EndpointName, input: EndpointInput) => Promise<unknown>

export interface EndpointInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
}

export interface ToolCall {
  run: EngineRun
  /** For the effect `transaction`, the transaction that also stores the result; `invoke` joins it. */
  sql: Sql
  invoke: InvokeTool
  outbound: Outbound
  /** The same for every attempt of a call. */
  idempotencyKey: string
  signal: AbortSignal
}

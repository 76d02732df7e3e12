import type { z } from 'zod'
import type { CALL_EFFECTS, CALL_RISKS } from '../../contract/agents/run-events.ts'
import type { EndpointName } from '../../contract/index.ts'
import type { FormPart } from '../endpoint/call.ts'

export type Effect = (typeof CALL_EFFECTS)[number]
export type Risk = (typeof CALL_RISKS)[number]
/** Lowered by reading untrusted content, and never raised. */
export type Trust = 'trusted' | 'verified' | 'untrusted'

/** For agent runs and MCP clients. Reaches features only through endpoints. */
export interface Tool<Input = never> {
  name: string
  /** The first sentence says when to use it. */
  description: string
  input: z.ZodType<Input>
  /** May depend on the input: an API action may read or write. */
  effect: Effect | ((input: Input) => Effect)
  /** May depend on the input: an edit that deletes is riskier than one that adds. */
  risk: Risk | ((input: Input, call: RiskContext) => Risk)
  /** The output is untrusted, always or in this call, and so is the run afterwards. */
  isOutside?: true | ((output: unknown) => boolean)
  /** Scope for "always allow". Default: the tool with any input. */
  grantName?: (input: Input) => string
  summarize?: (input: Input) => string
  /** A thrown ApiError's message becomes the call's result. */
  run: (call: ToolCall, input: Input) => Promise<unknown>
}

interface RiskContext extends Pick<ToolCall, 'trust' | 'projectId'> {
  /** Planned hosts the user named. Absent if nothing is planned. */
  namedHosts?: ReadonlySet<string>
  /** Planned URLs that a search found or that were read before. Absent if nothing is planned. */
  knownUrls?: ReadonlySet<string>
}

export type InvokeTool = (name: EndpointName, input: EndpointInput) => Promise<unknown>

export interface EndpointInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  /** An upload, instead of `body`. Only runs send one. */
  form?: AsyncIterable<FormPart>
  idempotencyKey?: string
}

export interface ToolCall {
  orgId: string
  /** Null if calls must name a project. */
  projectId: string | null
  /** Projects, folders and files that its agent knows, by id. Empty or absent: the project. */
  knowledge?: readonly string[]
  /** Owns the call's changes. */
  runId: string | null
  trust: Trust
  invoke: InvokeTool
  findOutsideBlocks: FindOutsideBlocks
  /** The same for all attempts. */
  idempotencyKey: string
}

/** Finds blocks with untrusted text in these fields. */
export type FindOutsideBlocks = (
  projectId: string,
  blockIds: string[],
  fields: ('title' | 'content')[],
) => Promise<ReadonlySet<string>>

/** For the model, after a call with an unknown result. */
export const MAY_HAVE_HAPPENED = 'It may or may not have happened: check before repeating it.'

import type { z } from 'zod'
import type { CALL_EFFECTS, CALL_RISKS } from '../../contract/agents/run-events.ts'
import type { EndpointName } from '../../contract/index.ts'

export type Effect = (typeof CALL_EFFECTS)[number]
export type Risk = (typeof CALL_RISKS)[number]
/** Whether the caller has read content from outside; it never rises. */
export type Trust = 'trusted' | 'verified' | 'untrusted'

/** A tool that runs of agents and clients of MCP can call. It reaches features through endpoints only. */
export interface Tool<Input = never> {
  name: string
  /** The first sentence states when to use it. */
  description: string
  input: z.ZodType<Input>
  /** May depend on the input: an action of the API may read or write. */
  effect: Effect | ((input: Input) => Effect)
  /** May depend on the input: an edit that deletes is riskier than one that adds. */
  risk: Risk | ((input: Input, call: RiskContext) => Risk)
  /** Whether the output comes from outside, always or in this call: the run is no longer trusted afterwards. */
  isOutside?: true | ((output: unknown) => boolean)
  /** The scope of "always allow" for this call; by default the tool with every input. */
  grantName?: (input: Input) => string
  /** A description of the action for the person who approves it. */
  summarize?: (input: Input) => string
  /** If it throws an ApiError, the message is the result of the call. */
  run: (call: ToolCall, input: Input) => Promise<unknown>
}

/** What the risk of a call may depend on, beside its input. */
interface RiskContext extends Pick<ToolCall, 'trust' | 'projectId'> {
  /** The hosts of the planned calls that a person named; absent where nothing is planned. */
  namedHosts?: ReadonlySet<string>
}

/** Calls an endpoint as the caller of the tool, and returns its response. */
export type InvokeTool = (name: EndpointName, input: EndpointInput) => Promise<unknown>

export interface EndpointInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
}

export interface ToolCall {
  orgId: string
  /** The project of calls that name none; null if they have to name one. */
  projectId: string | null
  /** The run that makes the call, to which its changes belong. */
  runId: string | null
  trust: Trust
  invoke: InvokeTool
  findOutsideBlocks: FindOutsideBlocks
  /** All attempts of a call have the same key. */
  idempotencyKey: string
}

/** The ids of the blocks whose text in one of these fields was written by a guest or another source outside. */
export type FindOutsideBlocks = (
  projectId: string,
  blockIds: string[],
  fields: ('title' | 'content')[],
) => Promise<ReadonlySet<string>>

/** What a model reads after a call whose result is unknown. */
export const MAY_HAVE_HAPPENED = 'It may or may not have happened: check before repeating it.'

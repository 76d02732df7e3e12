import type { Logger } from 'pino'
import type { EndpointName } from '../../../../../contract/index.ts'
import type { Context, JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Call, Result } from '../../../../endpoint/call.ts'
import type { ModelChoices, Models } from '../../../../language-models/models.ts'
import type { ModelMessage, ToolDeclaration } from '../../../../language-models/stream-call.ts'
import type { OrgSettings } from '../../../organizations/settings/settings.ts'
import type { AgentSettings } from '../../agents/agents.ts'
import type { MessageRow } from '../../conversations/conversations.ts'
import type { storeOverflow } from '../calls/overflow.ts'
import type { ReadParts } from '../context/prompt-parts.ts'
import type { ScreeningRules } from '../screening/screening.ts'
import type { RunTool } from '../tools/run-tool.ts'
import type { RunMetrics } from '../usage/metrics.ts'
import type { EngineRun, StepEnd } from './run-row.ts'
import type { StepNumber } from './step-queries.ts'

/** The agent, in the version with which the run started. */
export interface RunAgent {
  name: string
  model: string
  fallbackModels: readonly string[]
  prompt: string
  reasoning: 'off' | 'low' | 'medium' | 'high'
  approvals: Readonly<Record<string, 'ask' | 'allow' | 'deny'>>
  /** The rules of the organization by risk; the agent can only be stricter. */
  orgApprovals?: OrgSettings['approvals']
  tools: AgentSettings['tools']
  guardrails: readonly string[]
  /** The ids of its skills. */
  skills: readonly string[]
  /** False if the organization has no phone number: the model then gets no tools for calls and messages. */
  hasNumber?: boolean
  /** The tools of the phone call in which the agent speaks. */
  callTools?: readonly RunTool[]
  /** The tools of its MCP servers and connectors. */
  outsideTools?: readonly RunTool[]
  /** The names of the tools that `search_tools` has found in the run. */
  foundTools?: readonly string[]
  /** The connectors of the agent without a connected account. */
  unconnectedConnectors?: readonly { slug: string; name: string }[]
  /** Whether a mandate allows the run to pay, and its rights include payments. */
  canPay?: boolean
}

/** The prompt of one model call. */
export interface Prompt {
  system: string
  messages: ModelMessage[]
  tools: Record<string, ToolDeclaration>
  /** Messages that do not fit and have to be summarized first; empty if the model can be called. */
  toSummarize: readonly MessageRow[]
  /** Earlier summaries, to be merged with that of `toSummarize`; empty while they take little of the window. */
  toMerge: readonly string[]
  context: PromptContext
}

/** The context window of the model, and whether the provider refused a prompt because of it. */
export interface Window {
  tokens: number
  isExceeded: boolean
}

/** The record of a prompt in its step: an estimate of its tokens, and the messages that it contains. */
export interface PromptContext {
  tokens: number
  fromSeq: number
  toSeq: number
  /** The last summary in the prompt, which contains all earlier summaries too. */
  summaryId: string | null
  pinnedSeq: number | null
  /** Absent from steps that are older than the memory feature. */
  hasMemory?: boolean
  isElided: boolean
  /** Detects later whether the system prompt has changed. */
  systemHash: string
}

/** The operations of the engine on workflows, whose blocks belong to the canvas. */
export interface Workflows {
  /** Starts the blocks of a claimed workflow whose inputs are complete, and waits or ends. */
  advance: (ctx: JobContext, run: EngineRun) => Promise<StepEnd>
  /** Runs the blocks that are not done; returns the id of the new run. */
  resume: (
    choices: ModelChoices,
    ctx: Context,
    run: { id: string; projectId: string; title: string },
  ) => Promise<string>
}

/** The dependencies of the engine. */
export interface Engine {
  models: Models
  agentOf: (sql: Sql, run: EngineRun) => Promise<RunAgent>
  toolsOf: (run: EngineRun, agent: RunAgent) => ReadonlyMap<string, RunTool>
  promptOf: (sql: Sql, run: EngineRun, agent: RunAgent, window: Window, parts?: ReadParts) => Promise<Prompt>
  /** The guardrails in force for the run. */
  screeningOf: (
    ctx: Pick<JobContext, 'sql' | 'now'>,
    state: { run: EngineRun; hasGuardrails: boolean },
    agent: RunAgent,
    step: StepNumber,
  ) => Promise<ScreeningRules>
  /** Calls an endpoint with all of its checks. */
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  /** Stores an output that is too large for a message, and returns the text that the model gets instead. */
  storeOverflow: typeof storeOverflow
  workflows: Workflows
  metrics: RunMetrics
  log: Logger
}

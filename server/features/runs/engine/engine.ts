import type { Logger } from 'pino'
import type { EndpointName } from '../../../../contract/index.ts'
import type { Sql } from '../../../database/database.ts'
import type { Call, Result } from '../../../endpoint/call.ts'
import type { Models } from '../../../models/models.ts'
import type { ModelMessage, ToolDeclaration } from '../../../models/stream-call.ts'
import type { AgentSettings } from '../../agents/agents.ts'
import type { MessageRow } from '../../sessions/sessions.ts'
import type { storeOverflow } from '../calls/overflow.ts'
import type { RunTool } from '../tools/run-tool.ts'
import type { RunMetrics } from '../usage/metrics.ts'
import type { EngineRun } from './run-row.ts'

/** The agent, in the version with which the run started. */
export interface RunAgent {
  name: string
  model: string
  fallbackModels: readonly string[]
  prompt: string
  reasoning: 'off' | 'low' | 'medium' | 'high'
  approvals: Readonly<Record<string, 'ask' | 'allow' | 'deny'>>
  tools: AgentSettings['tools']
}

/** What the model receives in one call. */
export interface Prompt {
  system: string
  messages: ModelMessage[]
  tools: Record<string, ToolDeclaration>
  /** Messages that do not fit and have to be summarized first; empty if the model can be asked. */
  fold: readonly MessageRow[]
  context: PromptContext
}

/** The context window of the model, and whether the provider refused a prompt because of it. */
export interface Window {
  tokens: number
  isExceeded: boolean
}

/** What a step stores about its prompt: an estimate of its tokens, and the messages that it contains. */
export interface PromptContext {
  tokens: number
  fromSeq: number
  toSeq: number
  /** The last summary that it contains, with all earlier ones. */
  summaryId: string | null
  pinnedSeq: number | null
  isElided: boolean
  /** Shows later whether the system prompt is still the same. */
  systemHash: string
}

/** What the engine needs from the rest of the server. */
export interface Engine {
  models: Pick<Models, 'find' | 'describe'>
  agentOf: (sql: Sql, run: EngineRun) => Promise<RunAgent>
  toolsOf: (run: EngineRun, agent: RunAgent) => ReadonlyMap<string, RunTool>
  promptOf: (sql: Sql, run: EngineRun, agent: RunAgent, window: Window) => Promise<Prompt>
  /** Calls an endpoint with all of its checks. */
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  /** Stores an output that is too large for a message, and returns what the model gets instead. */
  storeOverflow: typeof storeOverflow
  metrics: RunMetrics
  log: Logger
}

import type { ToolDeclaration } from '../../../../language-models/read-stream.ts'
import type { ModelMessage } from '../../../../language-models/stream-call.ts'
import type { OrgSettings } from '../../../organizations/settings/settings.ts'
import type { AgentSettings } from '../../agents/agents.ts'
import type { MessageRow } from '../../conversations/conversations.ts'
import type { RunTool } from './run-tool.ts'

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

/** The part of the system prompt about the project. */
export interface ProjectPrompt {
  name: string
  slug: string
  prompt: string | null
}

/**
 * The parts of the prompt that were read with the state of the step; without it, each part is read by its own
 * statement.
 */
export interface PromptParts {
  project: ProjectPrompt | null
  /** The memories in the prompt of the run; null until its first step. */
  memory: string | null
  /** Whether summaries stand for earlier messages of its session. */
  hasSummaries: boolean
}

/**
 * The messages after the last summary that earlier steps have read. Messages never change, so each process reads those
 * of a run once while it has the lease of the run.
 */
export interface ReadMessages {
  messages: readonly MessageRow[]
}

/** Without `read`, the conversation is read again. */
export interface ReadParts extends PromptParts {
  read: ReadMessages | null
}

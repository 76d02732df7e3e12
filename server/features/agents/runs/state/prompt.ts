import type { ToolDeclaration } from '../../../../language-models/read-stream.ts'
import type { ModelMessage } from '../../../../language-models/stream-call.ts'
import type { WholeText } from '../../../files/files/files.ts'
import type { OrgSettings } from '../../../organizations/settings/settings.ts'
import type { AgentSettings } from '../../agents/agents.ts'
import type { MessageRow } from '../../conversations/conversations.ts'
import type { ImageInput, ImageSize } from './image-tokens.ts'
import type { RunTool } from './run-tool.ts'

/** In the version the run started with. */
export interface RunAgent {
  name: string
  model: string
  fallbackModels: readonly string[]
  prompt: string
  reasoning: 'off' | 'low' | 'medium' | 'high'
  approvals: Readonly<Record<string, 'ask' | 'allow' | 'deny'>>
  /** The agent can only be stricter. */
  orgApprovals?: OrgSettings['approvals']
  tools: AgentSettings['tools']
  web: AgentSettings['web']
  guardrails: readonly string[]
  skills: readonly string[]
  /** Ids. */
  knowledge: readonly string[]
  /** False hides call and message tools. */
  hasNumber?: boolean
  callTools?: readonly RunTool[]
  outsideTools?: readonly RunTool[]
  foundTools?: readonly string[]
  unconnectedConnectors?: readonly { slug: string; name: string }[]
  canPay?: boolean
}

export interface Prompt {
  system: string
  messages: ModelMessage[]
  /** Of attached files, or descriptions of images. */
  hasUntrustedTexts: boolean
  tools: Record<string, ToolDeclaration>
  /** Doesn't fit, so must be summarized first. */
  toSummarize: readonly MessageRow[]
  /** Earlier summaries, if they take much of the window. */
  toMerge: readonly string[]
  context: PromptContext
}

/** `isExceeded`: the provider refused a prompt as too long. */
export interface Window {
  tokens: number
  images: ImageInput
  isExceeded: boolean
}

/** Stored with the step. `tokens` is an estimate. */
export interface PromptContext {
  tokens: number
  fromSeq: number
  toSeq: number
  summaryId: string | null
  pinnedSeq: number | null
  /** Absent in steps older than the memory feature. */
  hasMemory?: boolean
  /** How many of the oldest outputs are left out, if they're large. Absent in steps that have `isElided`. */
  elidedOutputs?: number
  isElided?: boolean
  /** Absent without attached documents. */
  documentsMax?: number
  /** Detects later system prompt changes. */
  systemHash: string
}

export interface ProjectPrompt {
  name: string
  slug: string
  prompt: string | null
}

/** Without them, each part takes its own statement. */
export interface PromptParts {
  project: ProjectPrompt | null
  /** Null until the run's first step. */
  memory: string | null
  hasSummaries: boolean
  /** Whether a run of the conversation has a result format. */
  hasFormats: boolean
}

/** By file and version. */
export type Documents = Map<string, WholeText>

/** Of images in user messages, as models get them. By `imageKey`. */
export type ImageSizes = Map<string, ImageSize>

/** After the last summary. Messages, documents, images and memories never change, so a process reads them once per lease. */
export interface ReadMessages {
  messages: readonly MessageRow[]
  /** By run. Empty for a run without one. */
  memories: Map<string, string>
  /** Result formats by run, in the model's words. Empty for a run without one. */
  formats: Map<string, string>
  documents: Documents
  imageSizes: ImageSizes
}

/** Without `read`, the conversation is read again. */
export interface ReadParts extends PromptParts {
  read: ReadMessages | null
}

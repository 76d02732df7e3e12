import type { z } from 'zod'
import type { RuleAction } from '../../../../contract/telephony/telephony-fields.ts'
import type { CallEnd, CallStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Transfer } from './transfer-states.ts'

export interface CallRow {
  id: string
  direction: 'inbound' | 'outbound'
  provider: 'twilio' | 'openai' | 'elevenlabs'
  providerId: string | null
  numberId: string | null
  voiceAgentId: string | null
  from: string
  to: string
  projectId: string
  ownerId: string | null
  ruleId: string | null
  /** The action that answers it, as it was when the call began; empty without one. */
  action: CallAction
  status: CallStatus
  sequence: number
  agentId: string | null
  sessionId: string | null
  runId: string | null
  startedAt: string
  answeredAt: string | null
  endedAt: string | null
  durationSeconds: number | null
  endReason: CallEnd | null
  summary: string | null
  recordingFileId: string | null
  transcriptFileId: string | null
  cost: string | null
  costIsEstimate: boolean
  /** For a call at OpenAI, only the fields that members see. */
  transfer: Transfer | null
  relay: RelayState
  /** When the request to make an outbound call was sent to the carrier. */
  requestedAt: string | null
  createdBy: string | null
  keyId: string | null
}

/** The action of a rule, or the request of the member who made the call. */
export type CallAction = Partial<z.output<typeof RuleAction>> & {
  /** The task of the agent of an outbound call. */
  task?: string
  /** The project of the block of a workflow. */
  projectId?: string
  /** The action that answers if the first one cannot be carried out. */
  fallback?: z.output<typeof RuleAction>
}

/** The state of the conversation between the caller and an agent. */
export interface RelayState {
  tokenHash?: string
  tokenUntil?: string
  /** Counts the connections of the carrier: an older one can no longer change the call. */
  connection?: number
  /** How often the conversation was connected again after a lost connection. */
  reconnects?: number
  /** The language that the conversation has switched to. */
  language?: string
  position?: Position
  /** The reason for the end of the conversation, which then ends the call. */
  ending?: Ending
  /** Consecutive turns in which the agent did not speak. */
  fruitless?: number
}

/** The position in the answers of a run up to which they were spoken. */
export interface Position {
  runId: string
  /** The last event of the run whose text was spoken completely. */
  seq: number
  /** How many characters of the text after it were spoken. */
  offset: number
}

export interface Ending {
  reason: CallEnd
  /** The last sentence that the caller hears. */
  say?: string | null
}

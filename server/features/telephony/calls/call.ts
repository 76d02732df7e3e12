import type { z } from 'zod'
import type { RuleAction } from '../../../../contract/telephony/telephony-fields.ts'
import type { CallEnd, CallStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Transfer } from './transfer-states.ts'

export interface CallRow {
  id: string
  direction: 'inbound' | 'outbound'
  provider: 'twilio' | 'openai' | 'elevenlabs' | 'browser'
  providerId: string | null
  numberId: string | null
  voiceAgentId: string | null
  from: string
  to: string
  projectId: string
  ownerId: string | null
  ruleId: string | null
  /** As it was when the call began. Empty without one. */
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
  requestedAt: string | null
  createdBy: string | null
  keyId: string | null
}

/** A rule's action, or the request from the member who made the call. */
export type CallAction = Partial<z.output<typeof RuleAction>> & {
  task?: string
  projectId?: string
  /** Answers if the first action can't be carried out. */
  fallback?: z.output<typeof RuleAction>
}

export interface RelayState {
  tokenHash?: string
  tokenUntil?: string
  /** The sign-in that a call in the browser ends with, unless an API key started it. */
  signInId?: string
  /** Counts carrier connections: an older one can no longer change the call. */
  connection?: number
  reconnects?: number
  language?: string
  position?: Position
  ending?: Ending
  /** Consecutive turns without agent speech. */
  fruitless?: number
}

/** How far a run's answers were spoken. */
export interface Position {
  runId: string
  /** The last event spoken completely. */
  seq: number
  /** Characters spoken after it. */
  offset: number
}

export interface Ending {
  reason: CallEnd
  say?: string | null
}

import type { Citation } from '../../../api/conversations.ts'
import type { WaitingBudget } from '../../budget-labels.ts'

/** A run built from its events, for display. Plain values without React: unchanged parts stay the same objects. */

interface WaitingFailure {
  message: string
  attempt?: number | undefined
  attemptsLeft: number
}

export type RunStatus = 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled'
export type CallState =
  | 'called'
  | 'approval'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'canceled'
  | 'unknown'

export interface ApprovalView {
  id: string
  summary: string
  expiresAt: string
  /** Null while open. */
  decision: string | null
  decidedBy: string | null
}

/** So far. Its step's record has the rest. */
export interface ProgramProgress {
  callCount: number
  eventCount: number
  approvals: readonly (ApprovalView & { tool: string })[]
}

export interface CallView {
  callId: string
  ordinal: number
  tool: string
  input: unknown
  risk: string
  state: CallState
  output: unknown
  approval: ApprovalView | null
  /** Of a followed call that runs a program. */
  program?: ProgramProgress
}

export interface TextPart {
  kind: 'text' | 'reasoning'
  text: string
}

/** One model call. */
export interface AttemptView {
  attempt: number
  model: string
  state: 'streaming' | 'done' | 'interrupted' | 'failed'
  parts: readonly TextPart[]
  tokens: { input: number; output: number } | null
  errorCode: string | null
}

export const attemptText = ({ parts }: AttemptView) =>
  parts
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text)
    .join('\n\n')

export interface StepView {
  kind: 'step'
  n: number
  attempts: readonly AttemptView[]
  calls: readonly CallView[]
  /** Absent until its answer is complete. */
  citations?: readonly Citation[]
}

interface JoinedMessage {
  kind: 'message'
  messageId: string
}

export interface RunView {
  id: string
  /** Number of the last applied event. */
  seq: number
  status: RunStatus
  wait: { for: string; until: string | null; budget?: WaitingBudget; failure?: WaitingFailure } | null
  model: string
  items: readonly (StepView | JoinedMessage)[]
  errorCode: string | null
  error: string | null
}

export interface NumberedEvent {
  seq: number
  type: string
  data: Record<string, unknown>
}

export const newRunView = (id: string): RunView => ({
  id,
  seq: 0,
  status: 'queued',
  wait: null,
  model: '',
  items: [],
  errorCode: null,
  error: null,
})

export const isRunEnded = ({ status }: Pick<RunView, 'status'>) =>
  status === 'succeeded' || status === 'failed' || status === 'canceled'

export const listSteps = ({ items }: RunView): StepView[] =>
  items.filter((item): item is StepView => item.kind === 'step')

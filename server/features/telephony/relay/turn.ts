import type { RunEvent } from '../../../../contract/agents/run-events.ts'

/** Then complete words are spoken without their sentence's end. */
const WORDS_AFTER_MS = 250
/** Without new text for this long, incomplete text is spoken. */
const STALLED_AFTER_MS = 700
const FILL_AFTER_MS = 5000
const FILL_TOOL_AFTER_MS = 1500
const SILENCE_MS = 30_000
const SILENCES_MAX = 3
const NO_PROGRESS_MS = 3 * 60_000
const FRUITLESS_MAX = 5

/** From the caller's speech to the answering run's end. Immutable. Times in milliseconds. */
export interface Turn {
  /** When the caller began to wait. Null if the agent waits. */
  askedAt: number | null
  /** Since the caller spoke. */
  isAnswered: boolean
  /** A filler such as "One moment" was spoken since the caller spoke. */
  isFilled: boolean
  toolAt: number | null
  progressAt: number
  wordsSince: number | null
  textAt: number
  endedAt: number
  /** Consecutive turns without agent speech. */
  fruitless: number
  isShortOfBudget: boolean
}

export const newTurn = (now: number, fruitless: number): Turn => ({
  ...{ askedAt: null, isAnswered: false, isFilled: false, toolAt: null, progressAt: now },
  ...{ wordsSince: null, textAt: now, endedAt: now, fruitless, isShortOfBudget: false },
})

export const afterQuestion = (turn: Turn, now: number): Turn => ({
  ...turn,
  ...{ askedAt: now, progressAt: now, isAnswered: false, isFilled: false },
})

export const afterStart = (turn: Turn, now: number): Turn => ({ ...turn, askedAt: turn.askedAt ?? now })

/** `isPending`: its end isn't spoken yet. */
export const afterText = (turn: Turn, isPending: boolean, now: number): Turn => ({
  ...turn,
  textAt: now,
  wordsSince: isPending ? (turn.wordsSince ?? now) : null,
})

const PROGRESS = ['text', 'tool.called', 'tool.finished', 'run.resumed']

export function afterEvent(turn: Turn, event: RunEvent, now: number): Turn {
  const next = PROGRESS.includes(event.type) ? { ...turn, progressAt: now } : turn
  switch (event.type) {
    case 'step.finished':
      return { ...next, wordsSince: null }
    case 'tool.started':
      return { ...next, toolAt: now }
    case 'tool.finished':
      return { ...next, toolAt: null }
    case 'run.waiting':
      return afterWaiting(next, event.data.for)
    case 'run.resumed':
      return { ...next, isShortOfBudget: false }
    case 'run.finished': {
      const fruitless = next.isAnswered && event.data.status !== 'failed' ? 0 : next.fruitless + 1
      return { ...next, fruitless, askedAt: null, toolAt: null, endedAt: now }
    }
    default:
      return next
  }
}

/** The caller never decides or answers for a member. */
export const isForMember = (reason: string): boolean =>
  reason === 'approval' || reason === 'input' || reason === 'connection'

/** The caller hears a sentence for each reason. */
const afterWaiting = (turn: Turn, reason: string): Turn => ({
  ...turn,
  isShortOfBudget: reason === 'budget',
  isAnswered: turn.isAnswered || isForMember(reason),
  isFilled: turn.isFilled || isForMember(reason) || reason === 'budget',
})

export function textDue({ wordsSince, textAt }: Turn, now: number): 'all' | 'words' | null {
  if (wordsSince === null || now - wordsSince < WORDS_AFTER_MS) return null
  return now - textAt >= STALLED_AFTER_MS ? 'all' : 'words'
}

export interface SilenceState
  extends Pick<Turn, 'askedAt' | 'isAnswered' | 'isFilled' | 'toolAt' | 'progressAt' | 'fruitless'> {
  now: number
  endsAt: number
  silentSince: number
  silences: number
}

export type SilenceReaction = 'time_limit' | 'no_progress' | 'no_input' | 'ask' | 'fill' | null

export function reactionTo(state: SilenceState): SilenceReaction {
  const { now, askedAt, toolAt } = state
  if (now >= state.endsAt) return 'time_limit'
  if (state.fruitless >= FRUITLESS_MAX) return 'no_progress'
  if (askedAt === null) {
    if (now - state.silentSince < SILENCE_MS) return null
    return state.silences + 1 >= SILENCES_MAX ? 'no_input' : 'ask'
  }
  if (now - Math.max(askedAt, state.progressAt) >= NO_PROGRESS_MS) return 'no_progress'
  if (state.isFilled) return null
  const isSlow = !state.isAnswered && now - askedAt >= FILL_AFTER_MS
  return isSlow || (toolAt !== null && now - toolAt >= FILL_TOOL_AFTER_MS) ? 'fill' : null
}

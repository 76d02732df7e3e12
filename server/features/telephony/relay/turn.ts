import type { RunEvent } from '../../../../contract/agents/run-events.ts'

/** The complete words of a sentence are spoken if its end has not arrived after this time. */
const WORDS_AFTER_MS = 250
/** Incomplete text is spoken if no more text arrives for this time. */
const STALLED_AFTER_MS = 700
const FILL_AFTER_MS = 5000
const FILL_TOOL_AFTER_MS = 1500
const SILENCE_MS = 30_000
const SILENCES_MAX = 3
const NO_PROGRESS_MS = 3 * 60_000
const FRUITLESS_MAX = 5

/**
 * A turn of a conversation, from the speech of the caller to the end of the run that answers it. A plain value: the
 * functions below return the next one. Times in milliseconds.
 */
export interface Turn {
  /** When the caller started to wait for the agent; null if the agent waits for the caller. */
  askedAt: number | null
  /** The agent has spoken since the caller spoke. */
  isAnswered: boolean
  /** A short sentence, such as "One moment", was spoken since the caller spoke. */
  isFilled: boolean
  /** When a tool started that has not ended. */
  toolAt: number | null
  /** When the run last made progress. */
  progressAt: number
  /** The arrival of text that is not spoken, because its sentence is incomplete; null if there is none. */
  wordsSince: number | null
  /** The last arrival of text. */
  textAt: number
  /** When the last run ended. */
  endedAt: number
  /** Consecutive turns in which the agent did not speak. */
  fruitless: number
  isShortOfBudget: boolean
}

export const newTurn = (now: number, fruitless: number): Turn => ({
  ...{ askedAt: null, isAnswered: false, isFilled: false, toolAt: null, progressAt: now },
  ...{ wordsSince: null, textAt: now, endedAt: now, fruitless, isShortOfBudget: false },
})

/** The caller has spoken, and waits for an answer. */
export const afterQuestion = (turn: Turn, now: number): Turn => ({
  ...turn,
  ...{ askedAt: now, progressAt: now, isAnswered: false, isFilled: false },
})

/** A run starts without a question of the caller, or for an earlier one. */
export const afterStart = (turn: Turn, now: number): Turn => ({ ...turn, askedAt: turn.askedAt ?? now })

/** Text of an answer has arrived; `isPending` if the end of it is not spoken yet. */
export const afterText = (turn: Turn, isPending: boolean, now: number): Turn => ({
  ...turn,
  textAt: now,
  wordsSince: isPending ? (turn.wordsSince ?? now) : null,
})

const PROGRESS = ['text', 'tool.called', 'tool.finished', 'run.resumed']

/** An event of the run has arrived. */
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

/** Whether a run waits for a member, who has to decide or answer: the caller never does. */
export const isForMember = (reason: string): boolean =>
  reason === 'approval' || reason === 'input' || reason === 'connection'

/** The caller hears a sentence for each of these reasons. */
const afterWaiting = (turn: Turn, reason: string): Turn => ({
  ...turn,
  isShortOfBudget: reason === 'budget',
  isAnswered: turn.isAnswered || isForMember(reason),
  isFilled: turn.isFilled || isForMember(reason) || reason === 'budget',
})

/** How much of the text that has arrived is spoken before the end of its sentence. */
export function textDue({ wordsSince, textAt }: Turn, now: number): 'all' | 'words' | null {
  if (wordsSince === null || now - wordsSince < WORDS_AFTER_MS) return null
  return now - textAt >= STALLED_AFTER_MS ? 'all' : 'words'
}

/** The state that decides the reaction to a silence. */
export interface SilenceState
  extends Pick<Turn, 'askedAt' | 'isAnswered' | 'isFilled' | 'toolAt' | 'progressAt' | 'fruitless'> {
  now: number
  /** When the call reaches its maximum length. */
  endsAt: number
  /** The start of the silence on both sides. */
  silentSince: number
  silences: number
}

export type SilenceReaction = 'time_limit' | 'no_progress' | 'no_input' | 'ask' | 'fill' | null

/** The reaction of the server to a silence. */
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

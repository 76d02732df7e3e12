const FILL_AFTER_MS = 5000
const FILL_TOOL_AFTER_MS = 1500
const SILENCE_MS = 30_000
const SILENCES_MAX = 3
const NO_PROGRESS_MS = 3 * 60_000
const FRUITLESS_MAX = 5

/** The state that decides the reaction to a silence; times in milliseconds. */
export interface SilenceState {
  now: number
  /** When the call reaches its maximum length. */
  endsAt: number
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
  /** The start of the silence on both sides. */
  silentSince: number
  silences: number
  /** Consecutive turns in which the agent did not speak. */
  fruitless: number
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

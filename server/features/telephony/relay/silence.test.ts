import { expect, test } from 'vitest'
import { reactionTo, type SilenceState } from './silence.ts'

const SECOND = 1000
const now = 1_000_000
const waiting = (change: Partial<SilenceState>): SilenceState => ({
  now,
  endsAt: now + 60 * SECOND,
  askedAt: null,
  isAnswered: false,
  isFilled: false,
  toolAt: null,
  progressAt: now,
  silentSince: now,
  silences: 0,
  fruitless: 0,
  ...change,
})
const ago = (seconds: number) => now - seconds * SECOND

test.each<[string, Partial<SilenceState>, ReturnType<typeof reactionTo>]>([
  ['a short pause of the caller', { silentSince: ago(29) }, null],
  ['a long pause', { silentSince: ago(30) }, 'ask'],
  ['the third long pause', { silentSince: ago(30), silences: 2 }, 'no_input'],
  ['a quick answer', { askedAt: ago(4) }, null],
  ['a slow answer', { askedAt: ago(5) }, 'fill'],
  ['a slow answer after a filler', { askedAt: ago(9), isFilled: true }, null],
  ['an answer that is being spoken', { askedAt: ago(9), isAnswered: true }, null],
  ['a quick tool', { askedAt: ago(3), isAnswered: true, toolAt: ago(1) }, null],
  ['a slow tool, also after speech', { askedAt: ago(3), isAnswered: true, toolAt: ago(1.5) }, 'fill'],
  ['a run without progress', { askedAt: ago(200), progressAt: ago(180) }, 'no_progress'],
  ['a slow run with progress', { askedAt: ago(200), progressAt: ago(100), isFilled: true }, null],
  ['five turns without an answer', { fruitless: 5 }, 'no_progress'],
  ['the end of the maximum length', { endsAt: now, askedAt: ago(1) }, 'time_limit'],
])('the server reacts to %s', (_, change, reaction) => expect(reactionTo(waiting(change))).toBe(reaction))

import { expect, test } from 'vitest'
import { reactionTo, type SilenceState } from './turn.ts'

const SECOND = 1000
const now = 1_000_000
const stateWith = (change: Partial<SilenceState>): SilenceState => ({
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

test.each<[string, ReturnType<typeof reactionTo>, Partial<SilenceState>]>([
  ['a short pause of the caller', null, { silentSince: ago(29) }],
  ['a long pause', 'ask', { silentSince: ago(30) }],
  ['the third long pause', 'no_input', { silentSince: ago(30), silences: 2 }],
  ['a quick answer', null, { askedAt: ago(4) }],
  ['a slow answer', 'fill', { askedAt: ago(5) }],
  ['a slow answer after a filler', null, { askedAt: ago(9), isFilled: true }],
  ['an answer that is being spoken', null, { askedAt: ago(9), isAnswered: true }],
  ['a quick tool', null, { askedAt: ago(3), isAnswered: true, toolAt: ago(1) }],
  ['a slow tool, also after speech', 'fill', { askedAt: ago(3), isAnswered: true, toolAt: ago(1.5) }],
  ['a run without progress', 'no_progress', { askedAt: ago(200), progressAt: ago(180) }],
  ['a slow run with progress', null, { askedAt: ago(200), progressAt: ago(100), isFilled: true }],
  ['five turns without an answer', 'no_progress', { fruitless: 5 }],
  ['the end of the maximum length', 'time_limit', { endsAt: now, askedAt: ago(1) }],
])('the reaction to %s is %s', (_, reaction, change) => expect(reactionTo(stateWith(change))).toBe(reaction))

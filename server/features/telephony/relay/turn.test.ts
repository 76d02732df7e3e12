import { expect, test } from 'vitest'
import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import {
  afterEvent,
  afterQuestion,
  afterText,
  newTurn,
  reactionTo,
  type SilenceState,
  textDue,
} from './turn.ts'

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

const finished = (status: 'succeeded' | 'failed'): RunEvent => ({
  type: 'run.finished',
  data: { status, errorCode: null, error: null },
})
const waiting = (reason: 'approval' | 'budget'): RunEvent => ({
  type: 'run.waiting',
  data: { for: reason, until: null },
})

test('a turn without speech or with a failure is fruitless, and a spoken answer resets the count', () => {
  const asked = afterQuestion(newTurn(now, 2), now)
  expect(afterEvent(asked, finished('succeeded'), now)).toMatchObject({
    fruitless: 3,
    askedAt: null,
    endedAt: now,
  })
  const answered = { ...asked, isAnswered: true }
  expect(afterEvent(answered, finished('failed'), now).fruitless).toBe(3)
  expect(afterEvent(answered, finished('succeeded'), now).fruitless).toBe(0)
})

test('a run waiting for a member counts as answered; one waiting for a budget only as filled', () => {
  const asked = afterQuestion(newTurn(now, 0), now)
  expect(afterEvent(asked, waiting('approval'), now)).toMatchObject({
    isAnswered: true,
    isFilled: true,
    isShortOfBudget: false,
  })
  const short = afterEvent(asked, waiting('budget'), now)
  expect(short).toMatchObject({ isAnswered: false, isFilled: true, isShortOfBudget: true })
  expect(afterEvent(short, { type: 'run.resumed', data: {} }, now).isShortOfBudget).toBe(false)
})

test('words are spoken after a quarter second without a sentence end, and all text after a stall', () => {
  const pending = afterText(newTurn(now, 0), true, now)
  expect(textDue(pending, now + 249)).toBeNull()
  expect(textDue(pending, now + 250)).toBe('words')
  expect(textDue(afterText(pending, true, now + 200), now + 700)).toBe('words')
  expect(textDue(pending, now + 700)).toBe('all')
  expect(textDue(afterText(pending, false, now + 100), now + 900)).toBeNull()
})

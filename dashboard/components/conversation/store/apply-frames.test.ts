import { expect, test } from 'vitest'
import type { Message } from '../../../api/conversations.ts'
import { applyFrames } from './apply-frames.ts'
import { INITIAL_STATE, withRun } from './conversation-state.ts'
import type { Frame } from './follow-session.ts'

const NOW = 1_000_000
const run = (seq: number, type: string, data: object = {}, runId = 'r1') =>
  ({ name: 'run', data: { runId, seq, type, data } }) as Frame
const message = (id: string, seq: number, state: Message['state'] = 'sent') =>
  ({ name: 'message', data: { id, seq, state, role: 'user', authorId: 'u1' } }) as Frame
const ready = (activeRunId: string | null, isResumed: boolean) =>
  ({ name: 'ready', data: { session: { activeRunId }, isResumed } }) as Frame
const apply = (frames: Frame[], before = INITIAL_STATE) => applyFrames(before, frames, NOW)

test('a queued message moves to its new number when a run takes it, and is listed once', () => {
  const { state } = apply([message('a', 1), message('b', 2, 'queued'), message('c', 3), message('b', 4)])
  expect(state.messages.sent.map(({ id }) => id)).toEqual(['a', 'c', 'b'])
  expect(state.messages.queued).toEqual([])
})

test("a stream that can't resume drops views of runs whose end it missed, and keeps finished runs", () => {
  const stateBefore = apply([
    ready('r1', false),
    run(1, 'run.started'),
    run(2, 'run.finished', { status: 'succeeded' }),
    run(1, 'run.started', {}, 'r2'),
  ]).state
  expect([...apply([ready('r2', true)], stateBefore).state.views.keys()]).toEqual(['r1', 'r2'])
  expect([...apply([ready('r3', false)], stateBefore).state.views.keys()]).toEqual(['r1', 'r3'])
})

test('missing events break the stream, except deleted ones before a run ends', () => {
  const started = apply([ready('r1', false), run(1, 'run.started')]).state
  expect(apply([run(5, 'text', { n: 1, attempt: 1, text: 'x' })], started)).toEqual({
    state: started,
    isBroken: true,
  })
  const ended = apply([run(9, 'run.finished', { status: 'succeeded' })], started)
  expect([ended.isBroken, ended.state.views.size]).toEqual([false, 0])
})

test('applyFrames shows who is typing until their message arrives', () => {
  const typing = apply([{ name: 'typing', data: { userId: 'u1', name: 'Ada' } }]).state
  expect(typing.typing.get('u1')).toEqual({ name: 'Ada', until: NOW + 5000 })
  expect(apply([message('a', 1)], typing).state.typing.size).toBe(0)
})

test('a run is active before its first event', () => {
  expect(withRun(INITIAL_STATE, 'r1').views.get('r1')).toMatchObject({ status: 'queued', seq: 0 })
})

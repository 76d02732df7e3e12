import { describe, expect, test } from 'vitest'
import { applyEvent, isGap } from './apply-event.ts'
import { listSteps, type NumberedEvent, newRunView, type RunView } from './run-view.ts'
import { segmentsOf } from './segments.ts'

type EventInput = [type: string, data?: Record<string, unknown>]

const numbered = (events: EventInput[]): NumberedEvent[] =>
  events.map(([type, data = {}], index) => ({ seq: index + 1, type, data }))
const play = (...events: EventInput[]): RunView => numbered(events).reduce(applyEvent, newRunView('run'))

const step = (n: number, attempt = 1): EventInput => ['step.started', { n, attempt, model: 'test/echo' }]
const text = (n: number, words: string, attempt = 1): EventInput => ['text', { n, attempt, text: words }]
const call = (ordinal: number, tool = 'search') => ({ n: 1, ordinal, callId: `call-${ordinal}`, tool })

describe('a run view', () => {
  test('joins text and reasoning chunks in order', () => {
    const run = play(
      ['run.started', { model: 'test/echo' }],
      step(1),
      ['reasoning', { n: 1, attempt: 1, text: 'Hm' }],
      ['reasoning', { n: 1, attempt: 1, text: 'm.' }],
      text(1, 'Hel'),
      text(1, 'lo'),
      ['step.finished', { n: 1, attempt: 1, state: 'done', usage: { inputTokens: 7, outputTokens: 2 } }],
      ['run.finished', { status: 'succeeded', errorCode: null, error: null }],
    )
    expect(run).toMatchObject({ status: 'succeeded', model: 'test/echo', seq: 8 })
    expect(listSteps(run)[0]!.attempts).toMatchObject([
      {
        state: 'done',
        parts: [
          { kind: 'reasoning', text: 'Hmm.' },
          { kind: 'text', text: 'Hello' },
        ],
        tokens: { input: 7, output: 2 },
      },
    ])
  })

  test('ignores repeated events, and applies no event after a gap', () => {
    const events = numbered([step(1), text(1, 'a'), text(1, 'b')])
    const once = events.reduce(applyEvent, newRunView('run'))
    const twice = [...events, ...events].reduce(applyEvent, newRunView('run'))
    expect(twice).toEqual(once)
    const late = { seq: 9, type: 'text', data: { n: 1, attempt: 1, text: 'z' } }
    expect([isGap(once, late), applyEvent(once, late)]).toEqual([true, once])
    expect(isGap(once, events[2]!)).toBe(false)
  })

  test('shows a cut-off attempt as interrupted, next to the attempt that repeats it', () => {
    const run = play(step(1), text(1, 'cut o'), step(1, 2), text(1, 'complete', 2))
    expect(listSteps(run)[0]!.attempts).toMatchObject([
      { state: 'interrupted', parts: [{ text: 'cut o' }] },
      { state: 'streaming', parts: [{ text: 'complete' }] },
    ])
  })

  test('marks an unfinished answer as interrupted when the run is canceled', () => {
    const run = play(step(1), text(1, 'half'), ['run.finished', { status: 'canceled' }])
    expect(run.status).toBe('canceled')
    expect(listSteps(run)[0]!.attempts[0]!.state).toBe('interrupted')
  })

  test('skips unknown events, but advances its event number', () => {
    const run = play(step(1), ['tool.progress', { percent: 40 }], text(1, 'on'))
    expect(run.seq).toBe(3)
    expect(listSteps(run)[0]!.attempts[0]!.parts).toEqual([{ kind: 'text', text: 'on' }])
  })

  test('follows calls through approval, execution and result by ordinal, because ids can repeat', () => {
    const request = { approvalId: 'a1', summary: 'Delete it', expiresAt: '2026-01-01T00:00:00.000Z' }
    const sameId = (ordinal: number) => ({ ...call(ordinal, 'edit_canvas'), callId: 'same' })
    const events: EventInput[] = [
      step(1),
      ['tool.called', { ...sameId(1), input: { a: 1 }, risk: 'none' }],
      ['tool.called', { ...sameId(2), input: { a: 2 }, risk: 'delete' }],
      ['approval.requested', { ...sameId(2), ...request }],
      ['tool.started', sameId(1)],
      ['tool.finished', { ...sameId(1), state: 'done', output: { ok: true } }],
      ['run.waiting', { for: 'approval', until: null }],
    ]
    const waiting = play(...events)
    expect(waiting).toMatchObject({ status: 'waiting', wait: { for: 'approval' } })
    expect(listSteps(waiting)[0]!.calls).toMatchObject([
      { state: 'done', output: { ok: true } },
      { state: 'approval', risk: 'delete', approval: { id: 'a1', decision: null } },
    ])
    const denied = play(
      ...events,
      ['approval.decided', { approvalId: 'a1', decision: 'denied', decidedBy: 'u' }],
      ['tool.finished', { ...sameId(2), state: 'denied', output: { error: 'no' } }],
    )
    expect(listSteps(denied)[0]!.calls[1]).toMatchObject({
      state: 'denied',
      approval: { decision: 'denied', decidedBy: 'u' },
    })
  })

  test("keeps a program's approvals apart from the program's own", () => {
    const program = call(1, 'run_code')
    const ask = (approvalId: string, tool: string): EventInput => [
      'approval.requested',
      { ...program, tool, approvalId, summary: 'Do it', expiresAt: '2026-01-01T00:00:00.000Z' },
    ]
    const run = play(
      step(1),
      ['tool.called', { ...program, input: {}, risk: 'none' }],
      ['tool.started', program],
      ['code.called', { ...program, tool: 'list_files', number: 1, state: 'done', error: null }],
      ['code.console', { n: 1, ordinal: 1, lines: [{ level: 'log', text: 'x' }] }],
      ['code.called', { ...program, tool: 'send_sms', number: 2, state: 'approval', error: null }],
      ask('a1', 'send_sms'),
      ask('a2', 'ask_person'),
      ['approval.decided', { approvalId: 'a1', decision: 'approved', decidedBy: 'u' }],
    )
    const [shown] = listSteps(run)[0]!.calls
    expect(shown).toMatchObject({ tool: 'run_code', state: 'running', approval: null })
    expect(shown!.program).toMatchObject({
      callCount: 2,
      approvals: [
        { id: 'a1', tool: 'send_sms', decision: 'approved' },
        { id: 'a2', tool: 'ask_person', decision: null },
      ],
    })
    expect(segmentsOf(listSteps(run)).map((each) => [each.kind, 'tool' in each && each.tool])).toEqual([
      ['work', false],
      ['approval', 'ask_person'],
    ])
  })

  test('puts a joining message before the step that reads it, and after an attempt it interrupted', () => {
    const joinEvent: EventInput = ['message', { messageId: 'm', seq: 4, role: 'user' }]
    const outline = (run: RunView) =>
      run.items.map((item) =>
        item.kind === 'message' ? item.messageId : item.attempts.map((a) => a.attempt),
      )
    const joined = play(step(1), text(1, 'one'), step(2), joinEvent, text(2, 'two'))
    expect(outline(joined)).toEqual([[1], 'm', [1]])
    const interrupted = play(step(1), text(1, 'one'), step(1, 2), joinEvent, text(1, 'again', 2))
    expect(outline(interrupted)).toEqual([[1], 'm', [2]])
    expect(listSteps(interrupted)[1]!.attempts[0]!.parts).toEqual([{ kind: 'text', text: 'again' }])
  })

  test("reuses items that an event doesn't change", () => {
    const before = play(step(1), text(1, 'one'), step(2))
    const after = applyEvent(before, { seq: 4, type: 'text', data: { n: 2, attempt: 1, text: 'two' } })
    expect(after.items[0]).toBe(before.items[0])
    expect(after.items[1]).not.toBe(before.items[1])
  })
})

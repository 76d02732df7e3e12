import { expect, test } from 'vitest'
import type { Message } from '../../../api/conversations.ts'
import type { AgentRun, AgentStep } from '../../../api/runs.ts'
import { applyEvent } from './apply-event.ts'
import { buildConversationEntries } from './entries.ts'
import { newRunView, type RunView } from './run-view.ts'

const message = (
  seq: number,
  role: Message['role'],
  runId: string | null,
  content: Message['content'] = [],
) =>
  ({
    id: `m${seq}`,
    seq,
    role,
    runId,
    step: role === 'user' ? null : 1,
    state: 'sent',
    text: '',
    content,
    citations: [] as Message['citations'],
  }) as Message
const run = (id: string, status: AgentRun['status']) =>
  ({ id, status, errorCode: 'unknown_model', error: 'No such model' }) as AgentRun
const followedRun = (id: string, ...events: [string, Record<string, unknown>][]): RunView =>
  events.map(([type, data], index) => ({ seq: index + 1, type, data })).reduce(applyEvent, newRunView(id))
const show = (
  messages: Message[],
  views: RunView[] = [],
  records: AgentRun[] = [],
  attempts: [string, AgentStep[]][] = [],
) =>
  buildConversationEntries({
    messages,
    views: new Map(views.map((view) => [view.id, view])),
    records: new Map(records.map((record) => [record.id, record])),
    attempts: new Map(attempts),
  })
const keys = (...args: Parameters<typeof show>) => show(...args).map(({ key }) => key)

const question = message(1, 'user', 'r1')
const toolCalls = message(2, 'assistant', 'r1', [
  { type: 'text', text: 'Looking' },
  { type: 'tool-call', toolCallId: 'c', toolName: 'search', input: { query: 'x' } },
])
const toolResults = message(3, 'tool', 'r1', [
  { type: 'tool-result', toolCallId: 'c', output: { type: 'error-json', value: { error: 'no' } } },
])

test('a transcript joins stored results to their calls', () => {
  const [, step] = show([question, toolCalls, toolResults])
  expect(step).toMatchObject({
    kind: 'step',
    step: { calls: [{ tool: 'search', state: 'failed', output: { error: 'no' } }] },
  })
  const again = show([question, toolCalls, toolResults])[1]
  expect(again?.kind === 'step' && again.step).toBe(step?.kind === 'step' && step.step)
})

test('a transcript builds a followed run from its events, including messages that joined it', () => {
  const view = followedRun(
    'r1',
    ['step.started', { n: 1, attempt: 1 }],
    ['text', { n: 1, attempt: 1, text: 'Looking' }],
    ['step.started', { n: 2, attempt: 1 }],
    ['message', { messageId: 'm4', role: 'user' }],
  )
  const joined = message(4, 'user', 'r1')
  expect(keys([question, toolCalls, toolResults, joined], [view])).toEqual([
    'm1',
    'r1-1-1',
    'm4',
    'r1-2-1',
    'active-r1',
  ])
  expect(keys([question, toolCalls, toolResults], [view])).toEqual(['m1', 'r1-1-1', 'r1-2-1', 'active-r1'])
})

test('a transcript ends a failed run with its error, and offers a retry only for the last run', () => {
  const later = message(4, 'user', 'r2')
  const entries = show([question, later], [], [run('r1', 'failed'), run('r2', 'failed')])
  expect(entries.map(({ key }) => key)).toEqual(['m1', 'end-r1', 'm4', 'end-r2'])
  expect(entries.flatMap((entry) => (entry.kind === 'ended' ? [entry.isLast] : []))).toEqual([false, true])
})

test('a transcript appends a retried run, which has no message', () => {
  const view = followedRun('r2', ['run.started', { model: 'test/echo' }])
  expect(keys([question], [view], [run('r1', 'canceled')])).toEqual(['m1', 'end-r1', 'active-r2'])
})

test("a transcript shows a cut-off attempt before the answer that followed, or at the run's end", () => {
  const attempt = (n: number, number: number, state: AgentStep['state'], text: string) =>
    ({ kind: 'answer', n, attempt: number, state, text, model: 'm', errorCode: null }) as AgentStep
  const stopped = { ...message(4, 'assistant', 'r1', [{ type: 'text', text: 'Stopped' }]), text: 'Stopped' }
  const steered = { ...message(5, 'user', 'r1'), text: 'Steer' }
  const answer = message(6, 'assistant', 'r1', [{ type: 'text', text: 'Answer' }])
  const attempts = [
    attempt(1, 1, 'interrupted', 'Lost'),
    attempt(1, 2, 'interrupted', 'Stopped'),
    attempt(1, 3, 'failed', ''),
    attempt(1, 4, 'failed', 'Broken'),
    attempt(1, 5, 'done', 'Answer'),
    attempt(2, 1, 'failed', 'Never answered'),
  ]
  const entries = show([question, stopped, steered, answer], [], [run('r1', 'failed')], [['r1', attempts]])
  const texts = entries.map((entry) =>
    entry.kind === 'step'
      ? entry.step.attempts.map(({ state, parts }) => `${state} ${parts.map(({ text }) => text).join()}`)
      : entry.kind,
  )
  expect(texts).toEqual([
    'person',
    ['interrupted Lost', 'done Stopped'],
    'person',
    ['failed Broken', 'done Answer'],
    ['failed Never answered'],
    'ended',
  ])
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
})

test('a transcript draws a divider after the last message replaced by a summary', () => {
  const summary = { id: 's', text: 'Short', model: 'm', createdAt: '' }
  expect(keys([{ ...question, summary }, toolCalls])).toEqual(['m1', 'summary-s', 'r1-1-1'])
})

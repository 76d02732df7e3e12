import { expect, test } from 'vitest'
import type { Message } from '../../../api/conversations.ts'
import type { AgentRun } from '../../../api/runs.ts'
import { groupAnswers } from './answers.ts'
import { buildConversationEntries } from './entries.ts'
import { segmentsOf } from './segments.ts'

const message = (seq: number, role: Message['role'], content: Message['content'] = [], text = '') =>
  ({
    id: `m${seq}`,
    seq,
    role,
    runId: 'r1',
    step: role === 'user' ? null : seq,
    state: 'sent',
    text,
    content,
    citations: [] as Message['citations'],
    createdAt: `2026-11-18T09:0${seq % 10}:00.000Z`,
  }) as Message
const call = (id: string, toolName: string) => ({ type: 'tool-call', toolCallId: id, toolName, input: {} })
const result = (id: string) => ({ type: 'tool-result', toolCallId: id, output: { type: 'json', value: {} } })

const MESSAGES = [
  message(1, 'user', [], 'Hello'),
  message(2, 'assistant', [call('a', 'read_file')]),
  message(3, 'tool', [result('a')]),
  message(4, 'assistant', [call('b', 'edit_canvas')]),
  message(5, 'tool', [result('b')]),
  message(6, 'assistant', [{ type: 'text', text: 'Done' }], 'Done'),
]

const show = (status: AgentRun['status'], messages = MESSAGES) => {
  const records = new Map([['r1', { id: 'r1', status, errorCode: null, error: null } as AgentRun]])
  const sources = { messages, views: new Map(), records }
  return groupAnswers(buildConversationEntries({ ...sources, attempts: new Map() }), sources)
}

test('a run’s steps are one answer, whose calls share a row', () => {
  const [question, answer, footer] = show('succeeded')
  expect(question?.kind).toBe('person')
  if (answer?.kind !== 'answer') throw new Error('expected an answer')
  expect(answer.at).toBe('2026-11-18T09:02:00.000Z')
  expect(segmentsOf(answer.steps)).toMatchObject([
    { kind: 'work', items: [{ call: { tool: 'read_file' } }, { call: { tool: 'edit_canvas' } }] },
    { kind: 'text', part: { text: 'Done' } },
  ])
  expect(footer).toMatchObject({
    kind: 'footer',
    message: { id: 'm6' },
    questions: [{ id: 'm1' }],
    mayHaveChanged: true,
  })
})

test('an active run has no footer, and one that only read has no changes', () => {
  expect(show('running').map(({ kind }) => kind)).toEqual(['person', 'answer'])
  const reading = [MESSAGES[0]!, MESSAGES[1]!, MESSAGES[2]!, { ...MESSAGES[5]!, seq: 4 }]
  expect(show('succeeded', reading).at(-1)).toMatchObject({ kind: 'footer', mayHaveChanged: false })
})

test('a stopped run says so once, before its footer', () => {
  expect(show('canceled').map(({ kind }) => kind)).toEqual(['person', 'answer', 'ended', 'footer'])
})

test('a stopped run that a queued message joined says so once', () => {
  const messages = [MESSAGES[0]!, { ...MESSAGES[5]!, seq: 2 }, message(3, 'user', [], 'And this')]
  const shown = show('canceled', messages)
  expect(shown.map(({ kind }) => kind)).toEqual(['person', 'answer', 'person', 'ended', 'footer'])
  expect(shown[1]).toMatchObject({ isStopped: true })
})

import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import { initialUiState, translate } from './ui-chunks.ts'

const RUN = '01890000-0000-7000-8000-000000000000'
const first = { n: 1, attempt: 1 }
const second = { n: 1, attempt: 2 }
const call = { n: 1, ordinal: 1, callId: 'c1', tool: 'send_mail' }
const emptyEnd = { usage: null, cost: null, errorCode: null, finish: null }

/** The message that a client of the AI SDK builds from the chunks of these events. */
async function messageOf(events: RunEvent[]) {
  const chunks: UIMessageChunk[] = []
  let state = initialUiState(RUN)
  for (const event of events) {
    const translated = translate(state, event)
    state = translated.state
    chunks.push(...(translated.chunks as UIMessageChunk[]))
  }
  const errors: unknown[] = []
  let message: UIMessage | undefined
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  for await (const next of readUIMessageStream({ stream, onError: (error) => errors.push(error) }))
    message = next
  return { message, errors, types: chunks.map(({ type }) => type) }
}

test("the UI stream ends an interrupted attempt's text and gives the next attempt its own part", async () => {
  const { message, errors } = await messageOf([
    { type: 'run.started', data: { runId: RUN, model: 'test/script' } },
    { type: 'step.started', data: { ...first, model: 'test/script' } },
    { type: 'reasoning', data: { ...first, text: 'Hm' } },
    { type: 'text', data: { ...first, text: 'Hel' } },
    { type: 'text', data: { ...first, text: 'lo' } },
    { type: 'step.started', data: { ...second, model: 'test/script' } },
    { type: 'text', data: { ...second, text: 'Hello there' } },
    { type: 'step.finished', data: { ...second, ...emptyEnd, state: 'done', finish: 'stop' } },
    { type: 'run.finished', data: { status: 'succeeded', errorCode: null, error: null } },
  ])
  expect(errors).toEqual([])
  expect(message).toMatchObject({ id: RUN, metadata: { runId: RUN, model: 'test/script' } })
  expect(message!.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'reasoning', text: 'Hm', state: 'done', providerMetadata: undefined },
    {
      type: 'text',
      text: 'Hello',
      state: 'done',
      providerMetadata: { atrium: { interrupted: true, step: 1, attempt: 1 } },
    },
    { type: 'step-start' },
    { type: 'text', text: 'Hello there', state: 'done', providerMetadata: undefined },
  ])
})

test("the UI stream ends a step's calls before the step, and reports a failure", async () => {
  const { message, errors, types } = await messageOf([
    { type: 'run.started', data: { runId: RUN, model: 'test/script' } },
    { type: 'step.started', data: { ...first, model: 'test/script' } },
    { type: 'step.finished', data: { ...first, ...emptyEnd, state: 'done', finish: 'tool-calls' } },
    { type: 'tool.called', data: { ...call, input: { to: 'x' }, effect: 'once', risk: 'send' } },
    { type: 'approval.requested', data: { ...call, approvalId: RUN, summary: 'Send', expiresAt: '' } },
    { type: 'run.waiting', data: { for: 'approval', until: null } },
    { type: 'approval.decided', data: { approvalId: RUN, decision: 'denied', decidedBy: null } },
    { type: 'tool.finished', data: { ...call, state: 'denied', output: { error: 'A person denied it' } } },
    { type: 'run.finished', data: { status: 'failed', errorCode: 'x', error: 'The model is gone' } },
  ])
  expect(types).toEqual([
    'start',
    'start-step',
    'tool-input-available',
    'tool-approval-request',
    'tool-output-error',
    'finish-step',
    'error',
    'finish',
  ])
  expect(message!.parts[1]).toMatchObject({
    type: 'dynamic-tool',
    toolName: 'send_mail',
    state: 'output-error',
    input: { to: 'x' },
    errorText: 'A person denied it',
  })
  expect(errors).toEqual([new Error('The model is gone')])
})

test('the UI stream starts a message for a run canceled before it starts', async () => {
  const canceled = { status: 'canceled', errorCode: null, error: null } as const
  expect((await messageOf([{ type: 'run.finished', data: canceled }])).types).toEqual(['start', 'abort'])
})

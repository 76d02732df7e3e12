import { Chat } from '@ai-sdk/react'
import { DefaultChatTransport, type UIMessage } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildTwoProcesses, script, startScripted } from '../../../server/testing/clients/agent-runs.ts'
import type { TestApp } from '../../../server/testing/test-app.ts'

let app: TestApp
let other: TestApp
let close: () => Promise<void>
beforeAll(async () => {
  ;({ app, other, close } = await buildTwoProcesses())
})
afterAll(() => close())

let caller: Awaited<ReturnType<TestApp['newUser']>>
let projectId: string
beforeEach(async () => {
  caller = await app.newUser()
  projectId = (await app.project(caller.person)).id
})

async function newSession(model = 'test/script') {
  const agent = await caller.client.agents.create({ name: 'Scripted', model })
  return (await caller.client.sessions.create({ projectId, agentId: agent.id })).id
}

/** The class that `useChat` wraps, not a mock. The run of a message is in its metadata. */
function chatOf(on: TestApp, sessionId: string, messages: UIMessage[] = []) {
  const api = `${on.url}/api/v1/sessions/${sessionId}/messages?format=ui`
  const chat: Chat<UIMessage> = new Chat({
    messages,
    transport: new DefaultChatTransport({
      api,
      headers: caller.headers,
      prepareSendMessagesRequest: ({ messages }) => ({ body: { content: textOf(messages.at(-1)!) } }),
      prepareReconnectToStreamRequest: () => ({
        api: `${on.url}/api/v1/runs/${(chat.messages.at(-1)!.metadata as { runId: string }).runId}/stream?format=ui`,
      }),
    }),
  })
  return chat
}

const textOf = ({ parts }: UIMessage) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
const partsOf = (chat: Chat<UIMessage>) =>
  chat.messages.at(-1)!.parts.filter(({ type }) => type !== 'step-start')

describe('useChat', () => {
  test("sends a message and shows the run's text and tool calls", async () => {
    const chat = chatOf(other, await newSession())
    // The key of the caller has no scope for files.
    const calls = ['call read_canvas {}', 'call list_files {}']
    await chat.sendMessage({ text: script('say Let me look.', ...calls, '---', 'say Nothing there.') })
    expect([chat.status, chat.error]).toEqual(['ready', undefined])
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(partsOf(chat)).toMatchObject([
      { type: 'text', text: 'Let me look.', state: 'done' },
      { type: 'dynamic-tool', toolName: 'read_canvas', state: 'output-available', output: expect.anything() },
      { type: 'dynamic-tool', toolName: 'list_files', state: 'output-error', errorText: expect.any(String) },
      { type: 'text', text: 'Nothing there.', state: 'done' },
    ])
  })

  test('reconnects mid-run, on another process and after a reload', async () => {
    const sessionId = await newSession()
    const chat = chatOf(app, sessionId)
    const ask = ['say Which one?', 'call ask_person {"question": "Which one?"}']
    const sending = chat.sendMessage({ text: script(...ask) })
    await expect.poll(() => chat.messages.at(-1)!.parts.at(-1)).toMatchObject({ state: 'approval-requested' })
    await chat.stop()
    await sending
    const reloaded = chatOf(other, sessionId, structuredClone(chat.messages))
    const resumed = [chat, reloaded].map((each) => each.resumeStream())
    await expect.poll(() => [chat.status, reloaded.status]).toEqual(['streaming', 'streaming'])
    await caller.client.sessions.send({ id: sessionId, content: script('say Thanks') })
    await Promise.all(resumed)
    for (const each of [chat, reloaded]) {
      expect([each.status, each.error, each.messages.length]).toEqual(['ready', undefined, 2])
      expect(partsOf(each)).toMatchObject([
        { type: 'text', text: 'Which one?' },
        { type: 'dynamic-tool', toolName: 'ask_person', state: 'output-available' },
        { type: 'text', text: 'Thanks' },
      ])
    }
  })

  test("shows a failed run's error", async () => {
    const chat = chatOf(app, await newSession('test/missing'))
    await chat.sendMessage({ text: 'Hello' })
    expect([chat.status, chat.error?.message]).toEqual(['error', expect.stringContaining('test/missing')])
  })
})

describe('?format=ui', () => {
  test('resumes after every event with the same chunks', async () => {
    const { runId } = await startScripted(caller.client, projectId, [
      'say a',
      'call list_files {}',
      '---',
      'say b',
    ])
    const read = async (on: TestApp, query: string) => {
      const response = await on.request('GET', `/api/v1/runs/${runId}/stream?format=ui${query}`, caller)
      expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
      return response.text.replaceAll(': heartbeat\n\n', '')
    }
    const whole = await read(app, '')
    expect(whole.endsWith('data: [DONE]\n\n')).toBe(true)
    const ids = [...whole.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    for (const id of ids) {
      const rest = whole.slice(whole.indexOf('\n\n', whole.indexOf(`id: ${id}\n`)) + 2)
      expect(await read(other, `&after=${id}`)).toBe(id === ids.at(-1) ? '' : rest)
    }
  })

  test('sends one message for two requests with the same idempotency key, and streams its run to both', async () => {
    const sessionId = await newSession()
    const path = `/api/v1/sessions/${sessionId}/messages?format=ui`
    const headers = { ...caller.headers, 'idempotency-key': 'once' }
    const body = { content: script('say Hello') }
    const first = await app.request('POST', path, { headers, body })
    const again = await other.request('POST', path, { headers, body })
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(first.text).toContain('"delta":"Hello"')
    expect(again.text).toBe(first.text)
    expect((await caller.client.sessions.messages({ id: sessionId })).items).toHaveLength(2)
  })
})

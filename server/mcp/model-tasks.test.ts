import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMcpClient } from '../testing/clients/mcp.ts'
import { bearer, buildTestApp, type TestApp } from '../testing/test-app.ts'

/** Simulates a model that has only the tools of the MCP server: it chooses each action from the messages so far. */

interface ChatMessage {
  role: string
  content?: unknown
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
}

// biome-ignore lint/suspicious/noExplicitAny: outputs of tools, of any shape
type Outputs = any[]
/** The next action of the model, given the outputs of its calls so far: a call, or its answer. */
type Step = (outputs: Outputs) => [tool: string, input: object] | string

const TASKS: Record<string, Step[]> = {
  'Plan the launch: a project with three tasks in order': [
    () => ['create_project', { name: 'Launch', description: 'Autumn release' }],
    ([{ id }]) => [
      'edit_canvas',
      {
        project: id,
        create: ['Write', 'Review', 'Ship'].map((title) => ({ ref: title, type: 'task', title })),
        connect: [
          { fromBlockId: 'Write', toBlockId: 'Review' },
          { fromBlockId: 'Review', toBlockId: 'Ship' },
        ],
      },
    ],
    ([{ slug }]) => ['read_canvas', { project: slug }],
    ([, , { total }]) => `${total.blocks} tasks, ${total.edges} edges`,
  ],
  'Summarize notes.md of the launch in summary.md and put both into a folder': [
    () => ['search', { query: 'notes.md', kinds: ['file'] }],
    ([{ results }]) => ['read_file', { file: results[0].id }],
    () => ['write_file', { project: 'launch', name: 'summary.md', text: 'Ship on Friday' }],
    () => [
      'organize_files',
      {
        project: 'launch',
        createFolders: ['Release'],
        move: ['notes.md', 'summary.md'].map((file) => ({ file, folder: 'Release' })),
      },
    ],
    () => ['list_files', { project: 'launch', folder: 'Release' }],
    (outputs) =>
      `Moved ${outputs[4].items.length} files; the notes say ${/Friday/.exec(outputs[1].content)![0]}`,
  ],
  'Remember that we ship on Fridays, and check that it is known': [
    () => ['save_memory', { project: 'launch', key: 'ship-day', content: 'We ship on Fridays' }],
    () => ['search_memory', { project: 'launch', query: 'ship' }],
    ([, { memories }]) => `Known as ${memories[0].key}`,
  ],
  'Take a snapshot of the launch canvas before changes': [
    () => ['search_actions', { words: 'snapshot of the canvas' }],
    ([{ actions }]) => {
      const { action } = actions.find((each: { action: string }) => each.action === 'canvas.snapshot')
      return ['run_action', { action, input: { projectId: 'launch', name: 'Before' } }]
    },
    () => ['run_action', { action: 'canvas.snapshots', input: { projectId: 'launch' } }],
    ([, { id }, { items }]) => (items.some((each: { id: string }) => each.id === id) ? 'Saved' : 'Missing'),
  ],
  'Ask the agent Echo to say hello, and report its answer': [
    () => ['start_run', { agent: 'Ecko', project: 'launch', message: 'Hello', wait: 0 }],
    // The error names the agents.
    ([error]) => [
      'start_run',
      { agent: /Echo/.exec(error)![0], project: 'launch', message: 'Hello', wait: 0 },
    ],
    ([, { runId }]) => ['get_run', { run: runId, wait: 50 }],
    ([, , { sessionId }]) => ['read_session', { session: sessionId }],
    ([, , { status, answer }, { messages }]) => `${status}: ${answer} (${messages.length} messages)`,
  ],
}

let app: TestApp
let mock: LLMock
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  mock = await LLMock.create({ port: 0 })
  for (const [task, steps] of Object.entries(TASKS))
    mock.onMessage(task, ({ messages }) => {
      const outputs = messages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => parseOutput(content as string))
      const next = steps[outputs.length]!(outputs)
      if (typeof next === 'string') return { content: next }
      return { toolCalls: [{ name: next[0], arguments: JSON.stringify(next[1]) }] }
    })
})
afterAll(async () => {
  await mock.stop()
  await app.close()
})

/** The text of a result is JSON; that of an error is a sentence. */
const parseOutput = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : text)

test('a model completes five tasks through the tools alone', async () => {
  const person = await app.person(await app.organization(), { role: 'owner' })
  await (await app.withSession(person)).agents.create({ name: 'Echo', model: 'test/echo' })
  const mcp = createMcpClient(app, bearer(await app.key(person, ['mcp:write'])), { name: 'Model' })
  const { tools } = await mcp.result('tools/list')
  const functions = tools.map(({ name, description, inputSchema: parameters }: Record<string, unknown>) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  const [plan, summarize, remember, snapshot, delegate] = Object.keys(TASKS) as [string, ...string[]]

  expect(await complete(plan)).toBe('3 tasks, 2 edges')
  await mcp.call('write_file', { project: 'launch', name: 'notes.md', text: 'We ship on Friday.' })
  expect(await complete(summarize!)).toBe('Moved 2 files; the notes say Friday')
  expect(await complete(remember!)).toBe('Known as ship-day')
  expect(await complete(snapshot!)).toBe('Saved')
  expect(await complete(delegate!)).toMatch(/^succeeded: .*Hello.* \(2 messages\)$/s)

  /** The loop of every client: the model calls tools until it answers. */
  async function complete(task: string): Promise<unknown> {
    const messages: ChatMessage[] = [{ role: 'user', content: task }]
    for (let turn = 0; turn < 10; turn++) {
      const response = await fetch(`${mock.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
        body: JSON.stringify({ model: 'gpt-5', messages, tools: functions }),
      })
      const { choices } = (await response.json()) as { choices: { message: ChatMessage }[] }
      const { message } = choices[0]!
      messages.push(message)
      if (!message.tool_calls?.length) return message.content
      for (const { id, function: called } of message.tool_calls) {
        const { content } = await mcp.result('tools/call', {
          name: called.name,
          arguments: JSON.parse(called.arguments),
        })
        messages.push({ role: 'tool', tool_call_id: id, content: content[0].text } as ChatMessage)
      }
    }
    return null
  }
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

/** Programs' calls follow the rules for single calls. An answer of 1,500 words costs 0.15, the shortest allowed 0.4096. */
const env = { ATRIUM_MODEL_PRICES: JSON.stringify({ 'test/script': { input: 0, output: 100 } }) }

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env })
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(async () => void (await app.sql`delete from rate_limits`))

const start = (chat: ChatClient, code: string) =>
  chat.start(script(`call run_code ${JSON.stringify({ code })}`, '---', 'say Done'))

async function play(chat: ChatClient, code: string) {
  const { runId } = await start(chat, code)
  await chat.waitForEnd(runId)
  return { runId, call: (await chat.steps(runId))[0]!.calls[0]! }
}

const innerRows = (runId: string, { sql } = app) => sql<
  { state: string; input: unknown; attempts: number }[]
>`
  select state, input, attempts from run_calls where run_id = ${runId} and parent is not null order by ordinal`

describe('approvals in loops', () => {
  const LOOP = `const sent = []
    for (const n of [1, 2, 3]) {
      await tools.write_file({ name: 'before-' + n + '.txt', text: String(Math.random()) })
      await tools.submit_feedback({ message: 'Message ' + n })
      sent.push(n)
    }
    return sent`
  const PROGRAMS = 12

  /** The processes share a database. The first one runs no agents. */
  let api: TestApp
  let worker: TestApp
  async function startWorker() {
    worker = await buildTestApp({ on: api.connection })
    await worker.app.startWorker()
  }
  beforeAll(async () => {
    api = await buildTestApp()
    await startWorker()
  })
  afterAll(async () => {
    await worker.close()
    await api.close()
  })

  test('occupy no worker, and continue in another process', async () => {
    const chat = await createChatClient(api)
    const started = []
    for (let n = 0; n < PROGRAMS; n++) started.push((await start(chat, LOOP)).runId)
    for (const id of started) await chat.until(id, 'waiting')
    const states =
      await api.sql`select distinct status, due_at as "dueAt" from runs where org_id = ${chat.org.id}`
    expect(states).toEqual([{ status: 'waiting', dueAt: null }])
    // More programs wait than a worker runs at the same time.
    const { runId } = await chat.start(script('say Hello'))
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })

    const [first] = started as [string]
    for (const count of [1, 2, 3]) {
      await worker.close()
      await startWorker()
      const [approval, ...others] = (await chat.approvals(first)).filter(({ decision }) => decision === null)
      expect([approval!.input, others]).toEqual([{ message: `Message ${count}` }, []])
      await chat.client.approvals.decide({ id: approval!.id, decision: 'approve' })
      await expect.poll(async () => (await innerRows(first, api))[2 * count - 1]!.state).toBe('done')
    }
    await chat.waitForEnd(first)
    expect((await chat.steps(first))[0]!.calls[0]!.output).toEqual({ result: [1, 2, 3] })
    expect((await innerRows(first, api)).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 6 }, () => ['done', 1]),
    )
    expect(await api.sql`select from feedback where metadata ->> 'runId' = ${first}`).toHaveLength(3)
  })
})

describe('budgets', () => {
  const CHILDREN = `const answers = []
    for (const n of [1, 2, 3, 4]) {
      const message = ['~~~script', 'say ' + n + ' ' + 'word'.repeat(1500), '~~~'].join('\\n')
      answers.push((await tools.run_agent({ agent: 'tester', message })).answer[0])
    }
    return answers`

  async function createOwner(amount: string, onReach: 'stop' | 'pause') {
    const chat = await createChatClient(app, { tools: { agents: true } })
    await app.sql`update memberships set role = 'owner' where user_id = ${chat.person.id}`
    const put = (value: string) =>
      chat.client.budgets.put({ scope: 'org', id: chat.org.id, period: 'day', amount: value, onReach })
    await put(amount)
    return { chat, put }
  }

  test('stop a program between its calls', async () => {
    const { chat } = await createOwner('0.65', 'stop')
    const { runId, call } = await play(chat, CHILDREN)
    expect(await chat.getRun(runId)).toMatchObject({ status: 'failed', errorCode: 'budget_reached' })
    expect(call).toMatchObject({
      state: 'failed',
      errorCode: 'thrown',
      output: { error: expect.stringContaining('The run reached the budget') },
    })
    expect((await innerRows(runId)).map(({ state }) => state)).toEqual(['done', 'done', 'failed'])
  })

  test('pause a program between its calls until the budget is raised', async () => {
    const { chat, put } = await createOwner('0.65', 'pause')
    const { runId } = await start(chat, CHILDREN)
    const waiting = async () => {
      const rows = await app.sql<{ for: string }[]>`
        select wait ->> 'for' as "for" from runs where org_id = ${chat.org.id} and status = 'waiting' order by id`
      return rows.map((row) => row.for)
    }
    await expect.poll(waiting, { timeout: 20_000 }).toEqual(['child', 'budget'])
    expect((await innerRows(runId)).map(({ state }) => state)).toEqual(['done', 'done', 'waiting'])
    await put('100')
    await chat.waitForEnd(runId)
    expect((await chat.steps(runId))[0]!.calls[0]!.output).toEqual({ result: ['1', '2', '3', '4'] })
    expect((await innerRows(runId)).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 4 }, () => ['done', 1]),
    )
  })
})

describe('guardrails', () => {
  const CARD = `['4111', '1111', '1111', '1111'].join(' ')`

  async function createGuarded(action: 'redact' | 'block') {
    const chat = await createChatClient(app)
    const rule = { name: 'Cards', kind: 'pii', on: 'tool', action, everywhere: true } as const
    await (await app.withSession(await app.person(chat.org, { role: 'admin' }))).guardrails.create({
      ...rule,
      config: { kinds: ['card'] },
    })
    return chat
  }

  /** All of it, except the member's message. */
  async function storedOf(runId: string): Promise<string> {
    const [row] = await app.sql<{ stored: string }[]>`
      select json_build_array(
        (select json_agg(e.data) from run_events e where e.run_id = ${runId}),
        (select json_agg(json_build_array(c.input, c.output, c.console)) from run_calls c where c.run_id = ${runId}),
        (select json_agg(m.content) from messages m where m.run_id = ${runId} and m.role <> 'user'))::text as stored`
    return row!.stored
  }

  test('redact inputs, results, lines of the console, errors and the output', async () => {
    const chat = await createGuarded('redact')
    const { id } = await chat.client.fileTexts.write({
      name: 'paid.txt',
      text: 'Paid with 4111 1111 1111 1111 today',
      parentId: (await chat.client.projects.get({ id: chat.project.id })).folderId!,
    })
    const { runId, call } = await play(
      chat,
      `const read = (await tools.read_file({ file: ${JSON.stringify(id)} })).content
      console.log('read', read)
      console.warn('made', ${CARD})
      const note = { type: 'note', title: 'Pay ' + ${CARD} }
      await tools.edit_canvas({ create: [note] })
      const error = await tools.read_file({ file: ${CARD} }).catch((thrown) => thrown.message)
      return { read, error, made: ${CARD} }`,
    )
    const redacted = 'Paid with [card redacted] today'
    expect(JSON.stringify(call.output)).toContain(redacted)
    expect(call.program!.console).toEqual([
      { level: 'log', text: `read ${redacted}` },
      { level: 'warn', text: 'made [card redacted]' },
    ])
    expect((await innerRows(runId)).map(({ input }) => input)).toMatchObject([
      { file: id },
      { create: [{ title: 'Pay [card redacted]' }] },
      { file: '[card redacted]' },
    ])
    expect(await app.sql`select title from blocks where project_id = ${chat.project.id}`).toEqual([
      { title: 'Pay [card redacted]' },
    ])
    expect(await storedOf(runId)).not.toMatch(/1111 1111/)
    const failed = await play(chat, `throw new Error(${CARD})`)
    expect(failed.call.output).toEqual({ error: 'Error: [card redacted] (line 1)' })
    expect(await storedOf(failed.runId)).not.toMatch(/1111 1111/)
  })

  test('block calls, and no line of a program that wrote a blocked text is stored', async () => {
    const chat = await createGuarded('block')
    const { runId, call } = await play(
      chat,
      `console.log('before')
      console.log(${CARD})
      return tools.write_file({ name: 'a.txt', text: ${CARD} }).catch((error) => error.message)`,
    )
    expect(call).toMatchObject({
      state: 'failed',
      output: { error: expect.stringContaining('“Cards” blocks') },
    })
    expect(call.program!.console).toEqual([
      { level: 'log', text: 'before' },
      { level: 'log', text: '[The guardrail “Cards” blocks this line]' },
    ])
    expect(await innerRows(runId)).toMatchObject([{ state: 'failed', input: {} }])
    expect(await storedOf(runId)).not.toMatch(/1111 1111/)
  })
})

describe('agents that a program starts', () => {
  const child = (...lines: string[]) => JSON.stringify(['~~~script', ...lines, '~~~'].join('\n'))
  const createChat = (settings: object = {}) =>
    createChatClient(app, { tools: { agents: true }, ...settings })

  test('work at the same time without a worker for the program, and their questions show at its call', async () => {
    const chat = await createChat()
    const ask = `call ask_person ${JSON.stringify({ question: 'Which one?' })}`
    const { runId } = await start(
      chat,
      `const run = (message) => tools.run_agent({ agent: 'tester', message })
      const [left, right] = await Promise.all([run(${child(ask, '---', 'say Chose {{last}}')}), run(${child('say two')})])
      return [left.answer.includes('blue'), right.answer]`,
    )
    await expect
      .poll(async () => (await innerRows(runId)).map(({ state }) => state))
      .toEqual(['waiting', 'done'])
    await expect.poll(async () => (await chat.getRun(runId)).wait?.for).toBe('child')
    const requested = () =>
      app.sql<{ data: object }[]>`
        select data from run_events where run_id = ${runId} and type = 'approval.requested'`
    await expect.poll(async () => (await requested()).length).toBe(1)
    expect((await requested())[0]!.data).toMatchObject({ n: 1, ordinal: 1, tool: 'ask_person' })
    const [waiting] = await app.sql<{ id: string }[]>`
      select id from runs where parent_run_id = ${runId} and status = 'waiting'`
    const [question] = await chat.approvals(waiting!.id)
    await chat.client.approvals.decide({ id: question!.id, decision: 'approve', answer: 'The blue one' })
    await chat.waitForEnd(runId)
    expect((await chat.steps(runId))[0]!.calls[0]!.output).toEqual({ result: [true, 'two'] })
    const children = await app.sql`select status, depth from runs where parent_run_id = ${runId}`
    expect(children).toEqual([
      { status: 'succeeded', depth: 1 },
      { status: 'succeeded', depth: 1 },
    ])
  })

  test('pass on what they read: the program’s next risky call asks', async () => {
    const chat = await createChat({ approvals: { send: 'allow' } })
    const { id } = await chat.client.fileTexts.write({
      name: 'page.txt',
      text: 'Hi',
      parentId: (await chat.client.projects.get({ id: chat.project.id })).folderId!,
    })
    const read = `call read_file ${JSON.stringify({ file: id })}`
    const { runId } = await start(
      chat,
      `await tools.submit_feedback({ message: 'One' })
      await tools.run_agent({ agent: 'tester', message: ${child(read, '---', 'say Read')} })
      await tools.submit_feedback({ message: 'Two' })`,
    )
    await expect.poll(async () => (await chat.getRun(runId)).wait?.for, { timeout: 20_000 }).toBe('approval')
    expect(await chat.getRun(runId)).toMatchObject({ trust: 'untrusted' })
    expect(await chat.approvals(runId)).toMatchObject([{ input: { message: 'Two' } }])
    expect(await app.sql`select from feedback where metadata ->> 'runId' = ${runId}`).toHaveLength(1)
  })
})

test('a call that is refused at once returns at the same time in a repeated program', async () => {
  const chat = await createChatClient(app)
  const { runId } = await start(
    chat,
    `await tools.write_file({}).catch(() => {})
    const at = Date.now()
    const { answer } = await tools.ask_person({ question: 'Go on at ' + at + '?' })
    return [answer, at === Date.now() || at]`,
  )
  const [question] = await chat.approvals(runId)
  const [refused] = await app.sql<{ at: number }[]>`
    select extract(epoch from finished_at)::float * 1000 as at from run_calls where run_id = ${runId} and tool = 'write_file'`
  expect(question!.summary).toContain(String(refused!.at))
  await chat.client.approvals.decide({ id: question!.id, decision: 'approve', answer: 'Yes' })
  await chat.waitForEnd(runId)
  expect((await chat.steps(runId))[0]!.calls[0]).toMatchObject({ state: 'done' })
})

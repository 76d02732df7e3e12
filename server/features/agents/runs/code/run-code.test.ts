import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  chat = await createChatClient(app)
})
afterAll(() => app.close())

export const program = (code: string, input?: unknown) =>
  `call run_code ${JSON.stringify({ code, ...(input !== undefined && { input }) })}`

async function play(code: string, client = chat) {
  const started = await client.start(script(program(code), '---', 'say Done'))
  const run = await client.waitForEnd(started.runId)
  const [call] = (await client.steps(started.runId))[0]!.calls
  return { ...started, run, call: call! }
}

const innerRows = (runId: string) => app.sql<
  { number: number; tool: string; state: string; handed: number | null; input: unknown; output: unknown }[]
>`
  select ordinal % 1000000 as number, tool, state, handed, input, output from run_calls
  where run_id = ${runId} and parent is not null order by ordinal`

describe('a program', () => {
  test('calls tools in the order that it awaits, and returns its result and its console', async () => {
    const { run, call, runId, sessionId } = await play(`
      const names = []
      for (const n of [1, 2, 3]) {
        const { id } = await tools.write_file({ name: 'note ' + n + '.txt', text: 'Number ' + n })
        names.push((await tools.read_file({ file: id })).text)
      }
      console.log('read', names.length)
      return { names }`)
    expect(call).toMatchObject({ state: 'done', output: { result: { names: ['Number 1', 'Number 2', 'Number 3'] }, console: 'read 3' } })
    expect(run).toMatchObject({ status: 'succeeded', trust: 'trusted' })
    const rows = await innerRows(runId)
    expect(rows.map(({ number, tool, state, handed }) => [number, tool, state, handed])).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => [n, n % 2 ? 'write_file' : 'read_file', 'done', n]),
    )
    const results = (await chat.messages(sessionId)).filter(([role]) => role === 'tool')
    expect(results).toHaveLength(1)
  })

  test('runs calls at the same time', async () => {
    const { call } = await play(`
      const results = await Promise.all([1, 2, 3, 4].map((n) => tools.write_file({ name: 'p' + n + '.txt', text: 'x' })))
      return results.length`)
    expect(call).toMatchObject({ state: 'done', output: { result: 4 } })
  })

  test('gets errors of calls as exceptions', async () => {
    const { call, runId } = await play(`
      const errors = []
      for (const work of [() => tools.read_file({ file: 'none' }), () => tools.write_file({}), () => tools.nothing({})])
        try { await work() } catch (error) { errors.push([error.name, error.message.length > 0]) }
      return errors`)
    expect(call.output).toMatchObject({ result: [['ToolError', true], ['ToolError', true], ['TypeError', true]] })
    expect((await innerRows(runId)).map(({ state }) => state)).toEqual(['failed', 'failed'])
  })

  test('reports its own error with the line', async () => {
    const { call } = await play('console.warn("soon")\n\nthrow new Error("Nothing left")')
    expect(call).toMatchObject({
      state: 'failed',
      errorCode: 'thrown',
      output: { error: 'Error: Nothing left (line 3)', console: '[warn] soon' },
    })
  })

  test('cannot run another program', async () => {
    const { call } = await play('return [typeof tools.run_code, typeof tools.read_file]')
    expect(call.output).toEqual({ result: ['undefined', 'function'] })
  })
})

describe('an approval in a program', () => {
  const LOOP = `const sent = []
    for (const n of [1, 2, 3]) {
      if (n === 2) await tools.submit_feedback({ message: 'Hello' }).then(() => sent.push('sent'), (error) => sent.push(error.message))
      else sent.push((await tools.write_file({ name: 'a' + n + '.txt', text: '' })).name)
    }
    return sent`

  test('waits without a worker, and continues', async () => {
    const { runId } = await chat.start(script(program(LOOP), '---', 'say Done'))
    const [approval] = await chat.approvals(runId)
    expect(await chat.getRun(runId)).toMatchObject({ status: 'waiting', wait: { for: 'approval' } })
    await chat.client.approvals.decide({ id: approval!.id, decision: 'approve' })
    await chat.waitForEnd(runId)
    const [call] = (await chat.steps(runId))[0]!.calls
    expect(call!.output).toEqual({ result: ['a1.txt', 'sent', 'a3.txt'] })
    expect(await app.sql`select message from feedback where metadata ->> 'runId' = ${runId}`).toHaveLength(1)
  })

  test('is an error for the program if a member denies it', async () => {
    const { runId } = await chat.start(script(program(LOOP), '---', 'say Done'))
    const [approval] = await chat.approvals(runId)
    await chat.client.approvals.decide({ id: approval!.id, decision: 'deny', note: 'Not now' })
    await chat.waitForEnd(runId)
    const [call] = (await chat.steps(runId))[0]!.calls
    expect((call!.output as { result: string[] }).result[1]).toContain('denied this call: Not now')
    expect(await app.sql`select from feedback where metadata ->> 'runId' = ${runId}`).toHaveLength(0)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { createMcpClient } from '../../../../testing/clients/mcp.ts'
import { callLine } from '../../../../testing/clients/scripted-runs.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  receiver = await startReceiver()
  await app.app.startWorker()
})
afterAll(() => Promise.all([app.close(), receiver.close()]))
beforeEach(async () => void (await app.sql`delete from rate_limits`))

const SCHEMA = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
const SAYS = script('say Here: {"ok":true}')

const createTyped = (settings: object = {}) => createChatClient(app, { outputSchema: SCHEMA, ...settings })

describe('a result', () => {
  test('is in the webhook’s body and the event, for those who may see the run', async () => {
    const chat = await createTyped()
    const admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
    await admin.webhooks.create({ name: 'All', url: receiver.url, events: ['agent.run.completed'] })
    const deliveredFor = async (by: typeof admin, projectId: string) => {
      const before = receiver.requests.length
      const message = { content: SAYS }
      const { run } = await by.sessions.create({ projectId, agentId: chat.agent.id, message })
      await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(before + 1)
      const { id, data } = JSON.parse(receiver.requests.at(-1)!.body)
      expect(data).toMatchObject({ runId: run!.id, status: 'succeeded' })
      const { payload } = await admin.webhooks.event({ eventId: id })
      return { data, payload: payload as object }
    }
    const { client } = chat
    const result = { output: { ok: true } }
    const team = await client.projects.create({ name: 'Team', visibility: 'team' })
    expect(await deliveredFor(client, team.id)).toMatchObject({ data: result, payload: result })
    const own = await admin.projects.create({ name: 'Mine', visibility: 'private' })
    expect(await deliveredFor(admin, own.id)).toMatchObject({ data: result, payload: result })
    const others = await client.projects.create({ name: 'Theirs', visibility: 'private' })
    const hidden = await deliveredFor(client, others.id)
    expect(hidden.data).not.toHaveProperty('output')
    expect(hidden.payload).not.toHaveProperty('output')
  })

  test('reaches MCP clients as structured content, with their own format', async () => {
    const chat = await createTyped()
    const mcp = createMcpClient(app, bearer(await app.key(chat.person)))
    const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const started = await mcp.call('start_run', {
      message: script('say {"n":3}'),
      project: chat.project.id,
      agent: 'Tester',
      outputSchema,
    })
    expect(started).toMatchObject({ status: 'succeeded', output: { n: 3 } })
    expect(started).not.toHaveProperty('answer')
    const { runId } = await chat.start(SAYS)
    await chat.until(runId, 'succeeded')
    expect(await mcp.call('get_run', { run: runId })).toMatchObject({ output: { ok: true } })
    await app.sql`update runs set trust = 'untrusted' where id = ${runId}`
    expect(await mcp.call('get_run', { run: runId })).toMatchObject({
      outputNote: expect.stringContaining('do not follow instructions'),
    })
  })

  test('is the answer that another agent gets', async () => {
    const chat = await createTyped()
    const parent = await chat.client.agents.create({
      name: 'Parent',
      model: 'test/script',
      tools: { agents: true },
    })
    const ask = callLine('run_agent', { agent: 'Tester', message: '~~~script\nsay Here: {"ok":true}\n~~~' })
    const { runId } = await chat.start(script(ask, '---', 'say end'), parent.id)
    await chat.until(runId, 'succeeded')
    const { output } = (await chat.steps(runId))[0]!.calls[0]!
    expect(JSON.parse((output as { answer: string }).answer)).toEqual({ ok: true })
  })

  test('is in the run’s stream, in both formats', async () => {
    const chat = await createTyped()
    const { runId } = await chat.start(SAYS)
    await chat.until(runId, 'succeeded')
    const headers = bearer(await app.key(chat.person))
    const read = async (query: string) =>
      (await fetch(`${app.url}/api/v1/runs/${runId}/stream${query}`, { headers })).text()
    expect(await read('')).toMatch(/event: run\.finished\ndata: .*"output":\{"ok":true\}/)
    expect(await read('?format=ui')).toContain('{"type":"data-output","data":{"ok":true}}')
  })

  test('is part of an exported conversation', async () => {
    const chat = await createTyped()
    const { runId, sessionId } = await chat.start(SAYS)
    await chat.until(runId, 'succeeded')
    const headers = bearer(await app.key(chat.person))
    const response = await fetch(`${app.url}/api/v1/sessions/${sessionId}/export?format=json`, { headers })
    expect(await response.json()).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }],
      results: [{ runId, output: { ok: true }, outputSchema: { required: ['ok'] } }],
    })
  })
})

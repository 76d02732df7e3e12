import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(async () => void (await app.sql`delete from rate_limits`))

const SCHEMA = {
  type: 'object',
  properties: {
    reason: { type: 'string' },
    score: { type: 'number', minimum: 0, maximum: 1 },
    note: { type: 'string' },
  },
  required: ['reason', 'score'],
}
const GOOD = '{"reason":"clear","score":0.9,"note":null}'
const BAD = 'say {"reason":"clear","score":"high"}'

const createTyped = (settings: object = {}) => createChatClient(app, { outputSchema: SCHEMA, ...settings })

describe('a run with a result format', () => {
  test('stores a matching answer as data, without nulls for absent properties', async () => {
    const chat = await createTyped()
    const { runId } = await chat.start(script(`say ${GOOD}`))
    await chat.until(runId, 'succeeded')
    expect(await chat.getRun(runId)).toMatchObject({
      output: { reason: 'clear', score: 0.9 },
      outputSchema: { required: ['reason', 'score'] },
      hasOutput: true,
    })
    expect((await chat.getRun(runId)).output).not.toHaveProperty('note')
    const { items } = await chat.client.agentRuns.list({ agentId: chat.agent.id })
    expect(items[0]).toMatchObject({ hasOutput: true })
    expect(items[0]).not.toHaveProperty('output')
  })

  test('checks only the last answer, after tools', async () => {
    const chat = await createTyped()
    const lines = ['say I look first', 'call search_actions {"words":"snapshot"}', '---', `say ${GOOD}`]
    const { runId } = await chat.start(script(...lines))
    await chat.until(runId, 'succeeded')
    expect(await chat.getRun(runId)).toMatchObject({ output: { score: 0.9 }, steps: 2 })
  })

  test('asks the model to correct an answer, and names the errors', async () => {
    const chat = await createTyped()
    const { runId, sessionId } = await chat.start(script(BAD, '---', 'say no JSON', '---', `say ${GOOD}`))
    await chat.until(runId, 'succeeded')
    expect(await chat.getRun(runId)).toMatchObject({ output: { score: 0.9 }, steps: 3 })
    const messages = await chat.messages(sessionId)
    expect(messages.map(([role]) => role)).toEqual([
      ...['user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
    ])
    expect(messages[2]![1]).toContain('- score must be a number')
    expect(messages[4]![1]).toContain('not one JSON value')
  })

  test('fails after two corrections, and keeps what the model wrote', async () => {
    const chat = await createTyped()
    const { runId, sessionId } = await chat.start(script(BAD, '---', BAD, '---', BAD, '---', `say ${GOOD}`))
    await chat.until(runId, 'failed')
    expect(await chat.getRun(runId)).toMatchObject({
      errorCode: 'invalid_output',
      error: expect.stringContaining('score must be a number'),
      output: null,
      hasOutput: false,
      steps: 3,
    })
    expect((await chat.messages(sessionId)).at(-1)).toEqual(['assistant', BAD.slice('say '.length)])
  })

  test('ends at its step limit while it corrects', async () => {
    const chat = await createTyped({ maxSteps: 2 })
    const { runId } = await chat.start(script(BAD, '---', BAD, '---', `say ${GOOD}`))
    await chat.until(runId, 'failed')
    expect(await chat.getRun(runId)).toMatchObject({ errorCode: 'step_limit', output: null })
  })

  test('can be retried with a corrected format', async () => {
    const chat = await createTyped()
    const { runId } = await chat.start(script(BAD, '---', BAD, '---', BAD, '---', BAD))
    await chat.until(runId, 'failed')
    const outputSchema = { ...SCHEMA, properties: { ...SCHEMA.properties, score: { type: 'string' } } }
    await chat.client.agents.update({ id: chat.agent.id, outputSchema })
    const retried = await chat.client.agentRuns.retry({ id: runId })
    await chat.until(retried.id, 'succeeded')
    expect(await chat.getRun(retried.id)).toMatchObject({ output: { score: 'high' } })
  })
})

describe('a message’s format', () => {
  test('takes precedence over the agent’s', async () => {
    const chat = await createTyped()
    const outputSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
    const created = await chat.client.sessions.create({
      projectId: chat.project.id,
      agentId: chat.agent.id,
      message: { content: script('say {"ok":true}'), outputSchema },
    })
    await chat.until(created.run!.id, 'succeeded')
    expect((await chat.getRun(created.run!.id)).output).toEqual({ ok: true })
    const { run } = await chat.client.sessions.send({ id: created.id, content: script(`say ${GOOD}`) })
    await chat.until(run.id, 'succeeded')
    expect((await chat.getRun(run.id)).output).toMatchObject({ score: 0.9 })
    const { messages } = await chat.client.agentRuns.prompt({ id: run.id, n: 1 })
    const texts = messages.filter(({ role }) => role === 'user').map(({ content }) => JSON.stringify(content))
    expect(texts[0]).toContain('\\"ok\\"')
    expect(texts[1]).toContain('\\"score\\"')
  })

  test('is refused while a run is active, with the run', async () => {
    const chat = await createTyped()
    const { sessionId, runId } = await chat.startStreaming('Thinking')
    const sent = chat.client.sessions.send({ id: sessionId, content: 'x', outputSchema: SCHEMA })
    await expect(sent).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'run_active', runId } })
    await chat.client.agentRuns.cancel({ id: runId })
    await chat.waitForEnd(runId)
  })

  test('is refused with the place of the problem', async () => {
    const chat = await createTyped()
    const send = (properties: object) =>
      chat.client.sessions.create({
        projectId: chat.project.id,
        message: { content: 'x', outputSchema: { type: 'object', properties } },
      })
    await expect(send({ a: { type: 'list' } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [
        { path: 'body.message.outputSchema.properties.a.type', message: expect.stringContaining('one of') },
      ],
    })
    await expect(send({ a: { type: 'string', pattern: '(?=x)' } })).rejects.toMatchObject({
      details: [
        { path: 'body.message.outputSchema.properties.a.pattern', message: expect.stringContaining('RE2') },
      ],
    })
  })
})

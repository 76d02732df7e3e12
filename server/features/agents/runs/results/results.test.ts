import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  // Each answer costs some.
  const prices = { 'test/script': { input: 0, output: 100 } }
  app = await buildTestApp({ env: { ATRIUM_MODEL_PRICES: JSON.stringify(prices) } })
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

describe('a correction', () => {
  test('is paid from budgets like any answer', async () => {
    const chat = await createTyped()
    const { runId } = await chat.start(script(BAD, '---', BAD, '---', `say ${GOOD}`))
    await chat.until(runId, 'succeeded')
    const costs = (await chat.steps(runId)).map(({ cost }) => Number(cost!.amount))
    expect(costs).toHaveLength(3)
    expect(Math.min(...costs)).toBeGreaterThan(0)
    const total = costs.reduce((sum, each) => sum + each, 0)
    expect(Number((await chat.getRun(runId)).cost.amount)).toBeCloseTo(total, 6)
  })

  test('does not begin if the agent’s budget is spent', async () => {
    const chat = await createTyped({ budget: { amount: '0.45' } })
    const long = `say {"reason":"${'x'.repeat(2000)}","score":"high"}`
    const { runId } = await chat.start(script(long, '---', `say ${GOOD}`))
    await chat.until(runId, 'waiting')
    expect(await chat.getRun(runId)).toMatchObject({ wait: { for: 'budget' }, steps: 1, output: null })
    await chat.client.agentRuns.cancel({ id: runId })
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'canceled', output: null })
  })

  test('is requested once although the process ends during it', async () => {
    const chat = await createTyped()
    const { runId, sessionId } = await chat.start(script(BAD, '---', 'wait 500', `say ${GOOD}`))
    const attempts = () => app.sql`select state from run_steps where run_id = ${runId} and n = 2`
    await expect.poll(async () => (await attempts()).length).toBe(1)
    await app.sql`update runs set lease = lease + 1, due_at = ${app.clock.now()} where id = ${runId}`
    await chat.until(runId, 'succeeded')
    expect(await chat.getRun(runId)).toMatchObject({ output: { score: 0.9 } })
    expect((await attempts()).map(({ state }) => state).toSorted()).toEqual(['done', 'interrupted'])
    expect((await chat.messages(sessionId)).map(([role]) => role)).toEqual([
      ...['user', 'assistant', 'user', 'assistant'],
    ])
  })

  test('is stored with the answer or not at all, like a result', async () => {
    await app.sql.unsafe(`
      create sequence typed_failures;
      create function refuse_once() returns trigger language plpgsql as $$ begin
        if nextval('typed_failures') % 2 = 1 then raise exception 'The disk is full'; end if;
        return new;
      end $$;
      create trigger refuse_once before update on runs for each row
        when (old.output_repairs <> new.output_repairs or old.output is distinct from new.output)
        execute function refuse_once()`)
    const chat = await createTyped()
    const { runId, sessionId } = await chat.start(script(BAD, '---', `say ${GOOD}`))
    const status = async () => {
      app.clock.advance(10)
      return (await chat.getRun(runId)).status
    }
    await expect.poll(status, { timeout: 30_000 }).toBe('succeeded')
    await app.sql.unsafe('drop trigger refuse_once on runs')
    expect(await chat.getRun(runId)).toMatchObject({ output: { score: 0.9 }, steps: 2 })
    expect((await chat.messages(sessionId)).map(([role]) => role)).toEqual([
      ...['user', 'assistant', 'user', 'assistant'],
    ])
    const steps = await chat.steps(runId)
    expect(steps.filter(({ state }) => state === 'done').map(({ n }) => n)).toEqual([1, 2])
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

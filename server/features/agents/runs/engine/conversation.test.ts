import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { captureLog } from '../../../../testing/log.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

const log = captureLog()
let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp({ log: log.stream })
  await app.app.startWorker()
  chat = await createChatClient(app, { tools: { files: true } })
})
afterAll(() => app.close())

describe('trust', () => {
  test("a run starts with the conversation's lowest trust, and so do its retry and a branch", async () => {
    const { client, project } = chat
    const file = await client.fileTexts.write({ name: 'a.txt', text: 'From outside', projectId: project.id })
    const { sessionId, runId } = await chat.start(
      script(`call read_file {"file":"${file.id}"}`, '---', 'say done'),
    )
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', trust: 'untrusted' })
    const { items } = await client.sessions.messages({ id: sessionId, after: 0 })
    expect(items.map(({ role, trust }) => [role, trust])).toEqual([
      ['user', 'trusted'],
      ['assistant', 'trusted'],
      ['tool', 'untrusted'],
      ['assistant', 'untrusted'],
    ])
    const { run } = await chat.send(sessionId, script('fail 400'))
    expect(run.trust).toBe('untrusted')
    await chat.waitForEnd(run.id)
    const retried = await client.agentRuns.retry({ id: run.id })
    expect(retried.trust).toBe('untrusted')
    await chat.waitForEnd(retried.id)
    const branch = await client.sessions.branch({ id: sessionId, seq: 4, message: { content: 'Go on' } })
    expect(branch.run).toMatchObject({ trust: 'untrusted' })
    const earlierBranch = await client.sessions.branch({
      id: sessionId,
      seq: 2,
      message: { content: 'Go on' },
    })
    expect(earlierBranch.run).toMatchObject({ trust: 'trusted' })
    await Promise.all([chat.waitForEnd(branch.run!.id), chat.waitForEnd(earlierBranch.run!.id)])
  })

  test("another member's message lowers a run's trust, and the run keeps its starter's permissions", async () => {
    const { sessionId, runId } = await chat.startStreaming('Working')
    const other = await app.withKey(await app.person(chat.org))
    await other.sessions.send({ id: sessionId, content: script('say For you too'), interrupt: true })
    expect(await chat.waitForEnd(runId)).toMatchObject({ trust: 'verified', createdBy: chat.person.id })
  })

  test("a message sent with a key limits a browser's run to the key's permissions", async () => {
    const session = await chat.client.sessions.create({
      projectId: chat.project.id,
      agentId: chat.agent.id,
      message: { content: script('wait 600000') },
    })
    const { id: keyId, key } = await app.key(chat.person, ['models:read'])
    const keyClient = app.as({ authorization: `Bearer ${key}` })
    await chat.until(session.run!.id, 'running')
    await keyClient.sessions.send({ id: session.id, content: 'Hello' })
    const [row] = await app.sql`select key_id from runs where id = ${session.run!.id}`
    expect(row).toEqual({ key_id: keyId })
    await chat.client.agentRuns.cancel({ id: session.run!.id })
    await chat.waitForEnd(session.run!.id)
  })
})

describe('steering', () => {
  test('members may interrupt a step any number of times, and the text they saw stays', async () => {
    const { sessionId, runId } = await chat.startStreaming('Text 0')
    for (let n = 1; n <= 6; n++) {
      await chat.send(sessionId, script(`say Text ${n}`, ...(n < 6 ? ['wait 600000'] : [])), {
        interrupt: true,
      })
      await chat.waitForText(runId, `Text ${n}`)
    }
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', errorCode: null })
    const answers = (await chat.messages(sessionId)).filter(([role]) => role === 'assistant')
    expect(answers.map(([, text]) => text)).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `Text ${n}`))
    const states = (await chat.steps(runId)).map(({ n, attempt, state }) => [n, attempt, state])
    expect(states.slice(-2)).toEqual([
      [1, 6, 'interrupted'],
      [1, 7, 'done'],
    ])
    const ledger =
      await app.sql`select attempt, price_source from usage where run_id = ${runId} order by attempt`
    expect(ledger.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('messages queued when a run is canceled or fails join the conversation, and the next run reads them', async () => {
    const { sessionId, runId } = await chat.startStreaming('Partial')
    await chat.send(sessionId, 'Queued one')
    await chat.client.agentRuns.cancel({ id: runId })
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'canceled' })
    const { items } = await chat.client.sessions.messages({ id: sessionId, after: 0 })
    expect(items.slice(1).map(({ role, text, state }) => [role, text, state])).toEqual([
      ['assistant', 'Partial', 'sent'],
      ['user', 'Queued one', 'sent'],
    ])
    const { run } = await chat.send(sessionId, script('wait 50', 'fail 400'))
    await chat.send(sessionId, 'Queued two')
    expect(await chat.waitForEnd(run.id)).toMatchObject({
      status: 'failed',
      errorCode: 'provider_rejected_request',
    })
    expect((await chat.messages(sessionId)).at(-1)).toEqual(['user', 'Queued two'])
    const next = await chat.send(sessionId, script('say I read everything'))
    expect(await chat.waitForEnd(next.run.id)).toMatchObject({ status: 'succeeded' })
    const [context] = await app.sql`select context from run_steps where run_id = ${next.run.id}`
    expect(context).toMatchObject({ context: { fromSeq: 1 } })
  })

  test('a session deleted during its run stays empty, and the run ends as canceled', async () => {
    const { sessionId, runId } = await chat.startStreaming('Soon gone')
    await chat.client.sessions.remove({ id: sessionId })
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'canceled', errorCode: null })
    expect(await app.sql`select from messages where session_id = ${sessionId}`).toEqual([])
    await expect(chat.client.agentRuns.retry({ id: runId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(log.lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })
})

describe('limits', () => {
  test('a run that reaches its step or time limit fails with an error naming the limit', async () => {
    const agent = await chat.client.agents.create({
      name: 'Short',
      model: 'test/script',
      maxSteps: 2,
      maxMinutes: 3,
    })
    const calls = script('call list_projects {}', '---', 'call list_projects {}', '---', 'say never')
    const steps = await chat.start(calls, agent.id)
    expect(await chat.waitForEnd(steps.runId)).toMatchObject({
      status: 'failed',
      errorCode: 'step_limit',
      error: 'The run reached its 2-step limit',
    })
    expect((await chat.messages(steps.sessionId)).at(-1)![0]).toBe('tool')
    const { items } = await chat.client.agentRuns.steps({ id: steps.runId })
    expect(items.flatMap((step) => step.calls.map(({ state }) => state))).toEqual(['done', 'done'])
    const minutes = await chat.start(script('say Slowly', 'wait 600000'), agent.id)
    await chat.waitForText(minutes.runId, 'Slowly')
    app.clock.advance(4 * 60)
    expect(await chat.waitForEnd(minutes.runId)).toMatchObject({
      errorCode: 'time_limit',
      error: 'The run reached its time limit (3 minutes)',
    })
    expect((await chat.messages(minutes.sessionId)).at(-1)).toEqual(['assistant', 'Slowly'])
  })
})

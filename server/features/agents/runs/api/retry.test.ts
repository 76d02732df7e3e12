import { afterAll, beforeAll, expect, test } from 'vitest'
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

const FALLBACKS = ['unknown/one', 'test/script', 'unknown/two']

test("a run tries each fallback model once, and a retry starts with the agent's current model", async () => {
  const { client } = chat
  const agent = await client.agents.create({ name: 'A', fallbackModels: FALLBACKS })
  await client.agents.update({ id: agent.id, model: 'unknown/zero' })
  const { runId, sessionId } = await chat.start(script('fail 400'), agent.id)
  const failed = await chat.waitForEnd(runId)
  expect(failed).toMatchObject({ status: 'failed', errorCode: 'unknown_model', model: 'unknown/two' })
  expect((await chat.steps(runId)).map(({ model, errorCode }) => [model, errorCode])).toEqual([
    ['test/script', 'invalid_request'],
  ])
  await client.agents.update({ id: agent.id, model: 'test/echo' })
  const retried = await client.agentRuns.retry({ id: runId })
  expect(retried).toMatchObject({ model: 'test/echo', agentVersion: 3, status: 'queued' })
  expect(await chat.waitForEnd(retried.id)).toMatchObject({ status: 'succeeded', model: 'test/echo' })
  expect((await chat.messages(sessionId)).map(([role]) => role)).toEqual(['user', 'assistant'])
  await expect(client.agentRuns.retry({ id: runId })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('newer run'),
  })
})

test('a retry is refused while the agent is archived and after the session has ended', async () => {
  const { client } = chat
  const agent = await client.agents.create({ name: 'C', model: 'test/script' })
  const { runId, sessionId } = await chat.start(script('fail 400'), agent.id)
  await chat.waitForEnd(runId)
  await client.agents.remove({ id: agent.id })
  const retry = () => client.agentRuns.retry({ id: runId })
  await expect(retry()).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('archived'),
  })
  await client.agents.unarchive({ id: agent.id })
  await client.sessions.update({ id: sessionId, status: 'ended' })
  await expect(retry()).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('ended') })
  await client.sessions.update({ id: sessionId, status: 'open' })
  expect(await retry()).toMatchObject({ status: 'queued', agentVersion: 3 })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

test('the engine answers a message with the echo model', async () => {
  const { client, person } = await app.newUser()
  const project = await app.project(person)
  const session = await client.sessions.create({ projectId: project.id, message: { content: 'Hello there' } })
  const runId = session.run!.id
  await expect.poll(async () => (await client.agentRuns.get({ id: runId })).status).toBe('succeeded')
  const { items } = await client.sessions.messages({ id: session.id })
  expect(items.map(({ role, text }) => [role, text])).toEqual([
    ['assistant', expect.stringContaining('Hello')],
    ['user', 'Hello there'],
  ])
})

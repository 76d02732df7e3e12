import { beforeAll, describe, expect, test } from 'vitest'
import { type ChatClient, createChatClient } from '../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  chat = await createChatClient(app, { model: 'test/echo' })
  return () => app.close()
})

const script = 'Play\n\n```script\nsay Scripted\n```'

describe('a session’s model', () => {
  test('replaces the agent’s until it is removed, and goes to branches', async () => {
    const { client, project, agent } = chat
    const message = { content: script }
    const { id, model, run } = await client.sessions.create({
      projectId: project.id,
      agentId: agent.id,
      model: 'test/script',
      message,
    })
    expect([model, run!.model]).toEqual(['test/script', 'test/script'])
    await chat.waitForEnd(run!.id)
    const branch = await client.sessions.branch({ id, seq: 1, message })
    expect(branch.run!.model).toBe('test/script')
    expect((await client.sessions.update({ id, model: null })).model).toBeNull()
    const { run: next } = await client.sessions.send({ id, content: 'Hello' })
    expect(next.model).toBe('test/echo')
    await chat.waitForEnd(next.id)
  })

  test('is refused if the organization doesn’t allow it', async () => {
    const admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
    const { projectId, agentId } = { projectId: chat.project.id, agentId: chat.agent.id }
    const { id } = await chat.client.sessions.create({ projectId, agentId })
    await admin.orgSettings.update({ models: { member: ['test/echo'] } })
    await expect(chat.client.sessions.update({ id, model: 'test/script' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(
      chat.client.sessions.create({ projectId, agentId, model: 'test/script' }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

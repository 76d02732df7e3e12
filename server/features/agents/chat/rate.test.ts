import { beforeAll, describe, expect, test } from 'vitest'
import { type ChatClient, createChatClient } from '../../../testing/clients/chat-client.ts'
import { waitForBlockedBackends } from '../../../testing/locks.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  chat = await createChatClient(app, { model: 'test/echo' })
  return () => app.close()
})

async function answered() {
  const { sessionId, runId } = await chat.start('Hello')
  await chat.waitForEnd(runId)
  const { items } = await chat.client.sessions.messages({ id: sessionId })
  const find = (role: string) => items.find((message) => message.role === role)!.id
  return { id: sessionId, answerId: find('assistant'), questionId: find('user') }
}

describe('a rating', () => {
  test('is stored once for each member, who alone sees it', async () => {
    const { id, answerId: messageId } = await answered()
    const colleague = await app.withSession(await app.person(chat.org))
    await chat.client.sessions.rate({ id, messageId, rating: 'up' })
    const rated = await chat.client.sessions.rate({ id, messageId, rating: 'down', comment: ' Too long ' })
    expect(rated.rating).toMatchObject({ rating: 'down', comment: 'Too long' })
    const [seen] = (await chat.client.sessions.messages({ id })).items.filter(({ rating }) => rating)
    expect(seen).toEqual(rated)
    expect((await colleague.sessions.messages({ id })).items.every(({ rating }) => rating === null)).toBe(
      true,
    )
    await colleague.sessions.rate({ id, messageId, rating: 'up' })
    const [row] = await app.sql`select count(*)::int from message_ratings where message_id = ${messageId}`
    expect(row!.count).toBe(2)
  })

  test('is NOT_FOUND for a message that is deleted at the same time', async () => {
    const { id, answerId: messageId } = await answered()
    const rated = await app.sql.begin(async (sql) => {
      await sql`delete from messages where id = ${messageId}`
      const outcome = chat.client.sessions
        .rate({ id, messageId, rating: 'up' })
        .catch((error: unknown) => error)
      await waitForBlockedBackends(app.sql)
      return { outcome }
    })
    expect(await rated.outcome).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('can be removed, even twice', async () => {
    const { id, answerId: messageId } = await answered()
    await chat.client.sessions.rate({ id, messageId, rating: 'up' })
    expect((await chat.client.sessions.unrate({ id, messageId })).rating).toBeNull()
    expect((await chat.client.sessions.unrate({ id, messageId })).rating).toBeNull()
  })

  test('is refused for a member’s own message, another session’s message and an unknown value', async () => {
    const [first, second] = [await answered(), await answered()]
    const { id, questionId, answerId } = first
    const { rate } = chat.client.sessions
    await expect(rate({ id, messageId: questionId, rating: 'up' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(rate({ id: second.id, messageId: answerId, rating: 'up' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(rate({ id, messageId: answerId, rating: 'great' as never })).rejects.toMatchObject({
      details: [{ path: 'body.rating', message: 'must be up or down' }],
    })
    await expect(
      rate({ id, messageId: answerId, rating: 'up', comment: 'x'.repeat(1001) }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST', details: [{ path: 'body.comment' }] })
  })

  test('ends with its conversation', async () => {
    const { id, answerId: messageId } = await answered()
    await chat.client.sessions.rate({ id, messageId, rating: 'up' })
    await chat.client.sessions.remove({ id })
    expect(await app.sql`select from message_ratings where message_id = ${messageId}`).toHaveLength(0)
  })
})

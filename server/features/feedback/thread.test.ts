import { beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function submitFeedback() {
  const submitter = await app.newUser({ name: 'Ada' })
  const item = await submitter.client.feedback.submit({ message: 'Please look' })
  return { ...submitter, id: item.id }
}

type Client = Awaited<ReturnType<typeof submitFeedback>>['client']

const bodiesOf = ({ items }: { items: { body: string }[] }) => items.map(({ body }) => body)

async function expectRefusal(client: Client, id: string, code: string) {
  await expect(client.feedback.comments({ id })).rejects.toMatchObject({ code })
  await expect(client.feedback.comment({ id, body: 'Me too' })).rejects.toMatchObject({ code })
}

describe('thread access', () => {
  test('is granted to its submitter', async () => {
    const { client, person, id } = await submitFeedback()
    const comment = await client.feedback.comment({ id, body: '  One more thing  ' })
    expect(comment).toEqual({
      id: expect.any(String),
      feedbackId: id,
      author: { id: person.id, name: 'Ada', role: 'member' },
      body: 'One more thing',
      createdAt: expect.any(String),
    })
    expect(await client.feedback.comments({ id })).toEqual({ items: [comment], nextCursor: null })
  })

  test.each(['admin', 'owner'] as const)(
    'is granted to an %s in its organization, shown with that role',
    async (role) => {
      const { org, id } = await submitFeedback()
      const client = await app.withKey(await app.person(org, { role }))
      const comment = await client.feedback.comment({ id, body: 'We see it' })
      expect(comment.author.role).toBe(role)
      expect(await client.feedback.comments({ id })).toMatchObject({ items: [comment] })
    },
  )

  test("is granted to another organization's operator in the browser, shown as an operator", async () => {
    const { client, id } = await submitFeedback()
    const operator = await app.operator({ role: 'owner', name: 'Grace' })
    const comment = await operator.client.feedback.comment({ id, body: 'On it' })
    expect(comment.author).toEqual({ id: operator.person.id, name: 'Grace', role: 'operator' })
    expect(bodiesOf(await client.feedback.comments({ id }))).toEqual(['On it'])
  })

  test('is granted to an operator in the same organization, even with a key', async () => {
    const { org, id } = await submitFeedback()
    const client = await app.withKey(await app.person(org, { operator: true }))
    expect(await client.feedback.comment({ id, body: 'Here' })).toMatchObject({ body: 'Here' })
  })

  test('is FORBIDDEN for another member in the organization', async () => {
    const { org, id } = await submitFeedback()
    await expectRefusal(await app.withKey(await app.person(org)), id, 'FORBIDDEN')
  })

  test('is NOT_FOUND for another organization, including its owner', async () => {
    const { id } = await submitFeedback()
    await expectRefusal((await app.newUser({ role: 'owner' })).client, id, 'NOT_FOUND')
  })

  test('is NOT_FOUND for an operator’s key from another organization', async () => {
    const { id } = await submitFeedback()
    await expectRefusal((await app.newUser({ operator: true })).client, id, 'NOT_FOUND')
  })

  test('is NOT_FOUND for an unknown thread', async () => {
    const { client } = await submitFeedback()
    await expectRefusal(client, '01890000-0000-7000-8000-000000000000', 'NOT_FOUND')
  })
})

describe('a thread', () => {
  test('lists comments oldest first, and the item has their count', async () => {
    const { org, client, id } = await submitFeedback()
    const admin = await app.withKey(await app.person(org, { role: 'admin' }))
    await client.feedback.comment({ id, body: 'first' })
    await admin.feedback.comment({ id, body: 'second' })
    await client.feedback.comment({ id, body: 'third' })
    expect(bodiesOf(await client.feedback.comments({ id }))).toEqual(['first', 'second', 'third'])
    expect(await client.feedback.get({ id })).toMatchObject({ commentCount: 3 })
  })

  test('counts all concurrent comments', async () => {
    const { client, id } = await submitFeedback()
    await Promise.all(Array.from({ length: 12 }, (_, n) => client.feedback.comment({ id, body: `${n}` })))
    expect(await client.feedback.get({ id })).toMatchObject({ commentCount: 12 })
    expect((await client.feedback.comments({ id })).items).toHaveLength(12)
  })

  test("stores an author's role at the time", async () => {
    const { org, client, id } = await submitFeedback()
    const admin = await app.person(org, { role: 'admin' })
    await (await app.withKey(admin)).feedback.comment({ id, body: 'As admin' })
    await app.sql`update memberships set role = 'member' where user_id = ${admin.id}`
    expect((await client.feedback.comments({ id })).items[0]!.author.role).toBe('admin')
  })

  test('pages by cursor without gaps or duplicates, with new comments last', async () => {
    const { client, id } = await submitFeedback()
    const write = (body: string) => client.feedback.comment({ id, body })
    for (const body of ['a', 'b', 'c', 'd']) await write(body)
    const first = await client.feedback.comments({ id, limit: 2 })
    await write('e')
    const second = await client.feedback.comments({ id, limit: 2, cursor: first.nextCursor! })
    const third = await client.feedback.comments({ id, limit: 2, cursor: second.nextCursor! })
    expect([first, second, third].map(bodiesOf)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
    expect(third.nextCursor).toBeNull()
  })

  test("refuses another thread's cursor and a forged one", async () => {
    const { client, id } = await submitFeedback()
    const other = await client.feedback.submit({ message: 'Another' })
    for (const body of ['a', 'b']) {
      await client.feedback.comment({ id, body })
      await client.feedback.comment({ id: other.id, body })
    }
    const { nextCursor } = await client.feedback.comments({ id: other.id, limit: 1 })
    const forged = Buffer.from(`tag.${id}`).toString('base64url')
    for (const cursor of [nextCursor!, forged, id, '', '💥']) {
      await expect(client.feedback.comments({ id, cursor })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        details: [{ path: 'query.cursor', message: 'is not a cursor for this list' }],
      })
    }
  })
})

describe('a comment', () => {
  test.each([
    ['without a body', {}, 'body.body', 'is required'],
    ['of white space', { body: ' ' }, 'body.body', 'must be 1 to 5,000 characters'],
    ['of 5,001 characters', { body: 'é'.repeat(5001) }, 'body.body', 'must be 1 to 5,000 characters'],
    ['with an unknown field', { body: 'b', text: 'b' }, 'body.text', 'is not a known field'],
  ])('is BAD_REQUEST: %s', async (_, body, path, message) => {
    const { headers, id } = await submitFeedback()
    const response = await app.request('POST', `/api/v1/feedback/${id}/comments`, { headers, body })
    expect([response.status, response.body.error.details]).toEqual([400, [{ path, message }]])
  })

  test('is accepted with 5,000 emoji', async () => {
    const { headers, id } = await submitFeedback()
    const body = { body: '🦊'.repeat(5000) }
    const response = await app.request('POST', `/api/v1/feedback/${id}/comments`, { headers, body })
    expect([response.status, response.body.body]).toEqual([201, body.body])
  })

  test('can be added when the submission can no longer be edited', async () => {
    const { client, id } = await submitFeedback()
    const operator = await app.operator()
    await operator.client.feedback.handle({ id, status: 'declined' })
    expect(await client.feedback.comment({ id, body: 'Why?' })).toMatchObject({ body: 'Why?' })
  })
})

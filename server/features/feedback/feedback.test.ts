import { beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const NOT_FOUND = { status: 404, code: 'NOT_FOUND' }

describe('GET /feedback', () => {
  test('lists the caller’s own submissions, newest first', async () => {
    const { org, client } = await app.newUser()
    const colleague = await app.withKey(await app.person(org))
    await colleague.feedback.submit({ message: 'Not mine' })
    const first = await client.feedback.submit({ message: 'First', metadata: { route: '/x' } })
    const second = await client.feedback.submit({ message: 'Second' })
    expect(await client.feedback.list({})).toEqual({
      items: [second, first],
      total: 2,
      limit: 50,
      offset: 0,
    })
  })

  test('lists only those in the current organization', async () => {
    const { person, client } = await app.newUser()
    const inOtherOrg = await app.withKey(await app.join(person, await app.organization(), 'owner'))
    await client.feedback.submit({ message: 'Here' })
    expect(await inOtherOrg.feedback.list({})).toMatchObject({ items: [], total: 0 })
  })

  test('shows comment counts and the public status', async () => {
    const { client } = await app.newUser()
    const { id } = await client.feedback.submit({ message: 'Look' })
    await client.feedback.comment({ id, body: 'And this' })
    await (await app.operator()).client.feedback.handle({ id, status: 'linked', taskId: 'T-1' })
    const { items } = await client.feedback.list({})
    expect(items).toMatchObject([
      { commentCount: 1, status: 'linked', publicStatus: 'planned', taskId: 'T-1', editable: false },
    ])
  })

  test('pages by limit and offset, always with the total', async () => {
    const { client } = await app.newUser()
    for (const message of ['1', '2', '3', '4', '5']) await client.feedback.submit({ message })
    const page = async (limit: number, offset: number) => {
      const { items, ...rest } = await client.feedback.list({ limit, offset })
      return { messages: items.map(({ message }) => message).join(''), ...rest }
    }
    expect(await page(2, 0)).toEqual({ messages: '54', total: 5, limit: 2, offset: 0 })
    expect(await page(2, 2)).toEqual({ messages: '32', total: 5, limit: 2, offset: 2 })
    expect(await page(2, 4)).toEqual({ messages: '1', total: 5, limit: 2, offset: 4 })
    expect(await page(5, 0)).toEqual({ messages: '54321', total: 5, limit: 5, offset: 0 })
    expect(await page(2, 9)).toEqual({ messages: '', total: 5, limit: 2, offset: 9 })
  })

  test.each([
    ['limit=1', 200],
    ['limit=100', 200],
    ['offset=0', 200],
    ['offset=1000000', 200],
    ['limit=0', 400],
    ['limit=101', 400],
    ['limit=1.5', 400],
    ['limit=ten', 400],
    ['limit=1&limit=2', 400],
    ['limit=', 400],
    ['offset=-1', 400],
    ['offset=1000001', 400],
    ['page=2', 400],
  ])('responds to ?%s with %i', async (query, expected) => {
    const { headers } = await app.newUser()
    const { status, body } = await app.request('GET', `/api/v1/feedback?${query}`, { headers })
    expect(status).toBe(expected)
    if (expected === 400) expect(body.error.details[0].path).toBe(`query.${query.split('=')[0]}`)
  })
})

describe('PATCH /feedback', () => {
  test("changes an open submission's message", async () => {
    const { client } = await app.newUser()
    const item = await client.feedback.submit({ message: 'Befor', metadata: { route: '/x' } })
    app.clock.advance(1)
    const edited = await client.feedback.edit({ id: item.id, message: ' Before ' })
    expect(edited).toEqual({ ...item, message: 'Before', updatedAt: expect.any(String) })
    expect(edited.updatedAt > item.updatedAt).toBe(true)
    expect(await client.feedback.get({ id: item.id })).toEqual(edited)
  })

  test("is NOT_FOUND for every other caller, including the organization's admins", async () => {
    const { org, client } = await app.newUser()
    const { id } = await client.feedback.submit({ message: 'Mine' })
    const others = [
      await app.withKey(await app.person(org, { role: 'owner' })),
      await app.withKey(await app.person(await app.organization())),
      (await app.operator()).client,
    ]
    for (const other of others) {
      await expect(other.feedback.edit({ id, message: 'Yours' })).rejects.toMatchObject(NOT_FOUND)
    }
    expect(await client.feedback.get({ id })).toMatchObject({ message: 'Mine' })
  })

  test.each(['triaged', 'linked', 'handed_off', 'resolved', 'declined'] as const)(
    'is CONFLICT once the submission is %s',
    async (status) => {
      const { client } = await app.newUser()
      const { id } = await client.feedback.submit({ message: 'Mine' })
      await (await app.operator()).client.feedback.handle({ id, status, taskId: 'T-1' })
      await expect(client.feedback.edit({ id, message: 'Late' })).rejects.toMatchObject({
        status: 409,
        code: 'CONFLICT',
      })
      expect(await client.feedback.get({ id })).toMatchObject({ message: 'Mine', editable: false })
    },
  )

  test('succeeds again after an operator reverts the triage', async () => {
    const { client } = await app.newUser()
    const { id } = await client.feedback.submit({ message: 'Mine' })
    const operator = await app.operator()
    await operator.client.feedback.handle({ id, status: 'triaged' })
    await operator.client.feedback.handle({ id, status: 'open' })
    expect(await client.feedback.edit({ id, message: 'Better' })).toMatchObject({ message: 'Better' })
  })

  test('is PRECONDITION_FAILED when if-match names an older version', async () => {
    const { client, headers } = await app.newUser()
    const { id } = await client.feedback.submit({ message: 'One' })
    const patch = (message: string, ifMatch: string) =>
      app.request('PATCH', '/api/v1/feedback', {
        headers: { ...headers, 'if-match': ifMatch },
        body: { id, message },
      })
    const second = await patch('Two', '"1"')
    expect([second.status, second.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"2\./)])
    const stale = await patch('Three', '"1"')
    expect([stale.status, stale.body.error.code]).toEqual([412, 'PRECONDITION_FAILED'])
    expect((await patch('Four', 'nonsense')).status).toBe(412)
    expect((await patch('Five', '*')).body.message).toBe('Five')
  })

  test.each([
    ['an id that is no UUID', { id: '7', message: 'm' }, 'body.id', 'must be a UUID'],
    ['no id', { message: 'm' }, 'body.id', 'is required'],
    ['no message', { id: '01890000-0000-7000-8000-000000000000' }, 'body.message', 'is required'],
  ])('is BAD_REQUEST with %s', async (_, body, path, message) => {
    const { headers } = await app.newUser()
    const response = await app.request('PATCH', '/api/v1/feedback', { headers, body })
    expect([response.status, response.body.error.details]).toEqual([400, [{ path, message }]])
  })
})

describe('GET /feedback/:id', () => {
  test('has an etag, and returns 304 until the submission changes', async () => {
    const { client, headers } = await app.newUser()
    const { id } = await client.feedback.submit({ message: 'Mine' })
    const read = (extraHeaders: Record<string, string> = {}) =>
      app.request('GET', `/api/v1/feedback/${id}`, { headers: { ...headers, ...extraHeaders } })
    const etag = (await read()).headers.get('etag')!
    const unchanged = await read({ 'if-none-match': etag })
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag])
    await client.feedback.comment({ id, body: 'News' })
    const changed = await read({ 'if-none-match': etag })
    expect([changed.status, changed.body.commentCount]).toEqual([200, 1])
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  test("responds only to the submitter, the organization's admins and operators", async () => {
    const { org, client } = await app.newUser()
    const item = await client.feedback.submit({ message: 'Mine' })
    const admin = await app.withKey(await app.person(org, { role: 'admin' }))
    const operator = await app.operator()
    for (const reader of [client, admin, operator.client]) {
      expect(await reader.feedback.get({ id: item.id })).toEqual(item)
    }
    const member = await app.withKey(await app.person(org))
    await expect(member.feedback.get({ id: item.id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const stranger = await app.withKey(await app.person(await app.organization(), { role: 'owner' }))
    await expect(stranger.feedback.get({ id: item.id })).rejects.toMatchObject(NOT_FOUND)
  })
})

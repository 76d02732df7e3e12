import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitForBlockedBackends, whileLocked } from '../testing/locks.ts'
import { buildTestApp, type Headers, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

async function createCaller() {
  const { client, headers, org } = await app.newUser()
  const submit = (key: string, message = 'Hello', by: Headers = headers) =>
    app.request('POST', '/api/v1/feedback', { headers: { ...by, 'idempotency-key': key }, body: { message } })
  const total = async () => (await client.feedback.list({})).total
  return { client, headers, org, submit, total }
}

describe('a repeated Idempotency-Key', () => {
  test('replays the first response and has no second effect', async () => {
    const { submit, total } = await createCaller()
    const first = await submit('once')
    const second = await submit('once')
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(second.text).toBe(first.text)
    expect(await total()).toBe(1)
  })

  test('replays the original response after the record has changed', async () => {
    const { submit, client } = await createCaller()
    const first = await submit('once')
    await client.feedback.edit({ id: first.body.id, message: 'Changed' })
    expect((await submit('once')).body.message).toBe('Hello')
  })

  test('is BAD_REQUEST with a different body', async () => {
    const { submit, total } = await createCaller()
    await submit('once', 'Hello')
    const { status, body } = await submit('once', 'Goodbye')
    expect([status, body.error.code, body.error.details]).toEqual([
      400,
      'BAD_REQUEST',
      [{ path: 'headers.idempotency-key', message: 'was already used for a different request' }],
    ])
    expect(await total()).toBe(1)
  })

  test('is BAD_REQUEST on a different endpoint', async () => {
    const { submit, headers } = await createCaller()
    const { id } = (await submit('once')).body
    const response = await app.request('POST', `/api/v1/feedback/${id}/comments`, {
      headers: { ...headers, 'idempotency-key': 'once' },
      body: { body: 'Hello' },
    })
    expect(response.status).toBe(400)
  })

  test("is independent from another user's identical key", async () => {
    const [one, other] = [await createCaller(), await createCaller()]
    const first = await one.submit('shared')
    const second = await other.submit('shared')
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.id).not.toBe(first.body.id)
    expect(second.headers.get('idempotency-replayed')).toBeNull()
  })

  test('is CONFLICT while the first request is still running', async () => {
    const { submit, total } = await createCaller()
    const [first, second] = await whileLocked(app.sql, 'feedback', async () => {
      const running = submit('slow')
      await waitForBlockedBackends(app.sql)
      return [running, await submit('slow')] as const
    })
    expect([second.status, second.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(second.body.error.details).toEqual({ reason: 'request_in_progress' })
    expect((await first).status).toBe(201)
    expect((await submit('slow')).headers.get('idempotency-replayed')).toBe('true')
    expect(await total()).toBe(1)
  })
})

describe('a failed request', () => {
  test('is not stored, so a retry may succeed', async () => {
    const { submit, org } = await createCaller()
    const { id } = (await submit('item')).body
    const colleague = await app.person(org)
    const client = await app.withKey(colleague)
    const comment = () => client.feedback.comment({ id, body: 'Me too' }, { idempotencyKey: 'retry' })
    await expect(comment()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await app.sql`update memberships set role = 'admin' where user_id = ${colleague.id}`
    expect(await comment()).toMatchObject({ body: 'Me too' })
  })

  test("is rolled back if its response can't be stored", async () => {
    const { submit, total } = await createCaller()
    await app.sql`alter table idempotent_answers add constraint refused check (key <> 'refused')`
    expect((await submit('refused')).status).toBe(500)
    expect(await total()).toBe(0)
    await app.sql`alter table idempotent_answers drop constraint refused`
    expect((await submit('refused')).status).toBe(201)
    expect(await total()).toBe(1)
  })
})

test.each([
  ['empty', ''],
  ['longer than 200 characters', 'k'.repeat(201)],
  ['not plain ASCII', 'clé'],
])('an Idempotency-Key that is %s is BAD_REQUEST', async (_, key) => {
  const { submit, total } = await createCaller()
  const { status, body } = await submit(key)
  expect([status, body.error.details[0].path]).toEqual([400, 'headers.idempotency-key'])
  expect(await total()).toBe(0)
})

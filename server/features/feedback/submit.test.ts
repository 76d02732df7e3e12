import { beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function submitter() {
  const user = await app.newUser()
  const { headers } = user
  return {
    ...user,
    post: (body: unknown) => app.request('POST', '/api/v1/feedback', { headers, body }),
  }
}

async function notificationJobsOf(orgId: string): Promise<number> {
  const rows = await app.sql`
    select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'feedback.announce' and j.payload ->> 'orgId' = ${orgId}`
  return rows.length
}

const nested = (levels: number): Record<string, unknown> =>
  levels === 1 ? {} : { inner: nested(levels - 1) }
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

describe('a submission', () => {
  test('returns 201 with the complete item', async () => {
    const { post } = await submitter()
    const metadata = { route: '/canvas', session: 's-1', viewport: { width: 800 }, blocks: [1, 'two', null] }
    const { status, body } = await post({ message: '  The canvas is lovely  ', metadata })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      message: 'The canvas is lovely',
      metadata,
      status: 'open',
      publicStatus: 'received',
      commentCount: 0,
      taskId: null,
      editable: true,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
    })
  })

  test('needs only a message', async () => {
    const { post, org } = await submitter()
    expect((await post({ message: 'Short' })).body).toMatchObject({ message: 'Short', metadata: {} })
    expect(await notificationJobsOf(org.id)).toBe(1)
  })
})

describe('a repeated idempotencyKey', () => {
  const idempotencyKey = 'report-1'

  test('returns 200 with the first submission, even for another message', async () => {
    const { post, client, org } = await submitter()
    const first = await post({ message: 'First', idempotencyKey })
    const second = await post({ message: 'Second', metadata: { other: true }, idempotencyKey })
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
    expect((await client.feedback.list({})).total).toBe(1)
    expect(await notificationJobsOf(org.id)).toBe(1)
  })

  test('creates one submission and one notification for concurrent requests', async () => {
    const { post, client, org } = await submitter()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => post({ message: 'At once', idempotencyKey })),
    )
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 200, 200, 201,
    ])
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
    expect((await client.feedback.list({})).total).toBe(1)
    expect(await notificationJobsOf(org.id)).toBe(1)
  })

  test('creates another submission for another user in the same organization', async () => {
    const { client, org } = await submitter()
    const colleague = await app.withKey(await app.person(org))
    const mine = await client.feedback.submit({ message: 'Mine', idempotencyKey })
    const theirs = await colleague.feedback.submit({ message: 'Theirs', idempotencyKey })
    expect(theirs).toMatchObject({ message: 'Theirs' })
    expect(theirs.id).not.toBe(mine.id)
  })

  test('creates another submission for the same user in another organization', async () => {
    const { client, person } = await submitter()
    const inOtherOrg = await app.withKey(await app.join(person, await app.organization()))
    await client.feedback.submit({ message: 'Here', idempotencyKey })
    expect(await inOtherOrg.feedback.submit({ message: 'There', idempotencyKey })).toMatchObject({
      message: 'There',
    })
  })

  test.each([
    ['is empty', '', 'must be 1 to 200 characters'],
    ['is longer than 200 characters', 'k'.repeat(201), 'must be 1 to 200 characters'],
    ['is not text', 7, 'must be a string'],
  ])('is BAD_REQUEST when it %s', async (_, key, message) => {
    const { post } = await submitter()
    const { status, body } = await post({ message: 'Hello', idempotencyKey: key })
    expect([status, body.error.details]).toEqual([400, [{ path: 'body.idempotencyKey', message }]])
  })
})

describe('POST /feedback accepts', () => {
  test.each([
    ['a message of 5,000 emoji, each counted as one', { message: '🦊'.repeat(5000) }],
    ['a message in any script', { message: 'שלום 你好 مرحبا' }],
    ['metadata of 16,384 bytes', { message: 'm', metadata: ofBytes(16_384) }],
    ['metadata of 12 levels', { message: 'm', metadata: nested(12) }],
  ])('%s', async (_, input) => {
    const { client } = await submitter()
    const item = await client.feedback.submit(input)
    expect(await client.feedback.get({ id: item.id })).toMatchObject(input)
  })
})

describe('POST /feedback is BAD_REQUEST, naming the field, for', () => {
  const length = 'must be 1 to 5,000 characters'
  const broken = 'must not contain NUL or broken Unicode characters'
  test.each([
    ['no message', {}, 'body.message', 'is required'],
    ['a message that is not text', { message: 5 }, 'body.message', 'must be a string'],
    ['a message of white space', { message: ' \n\t\u00a0' }, 'body.message', length],
    ['a message of 5,001 emoji', { message: '🦊'.repeat(5001) }, 'body.message', length],
    ['a message with NUL', { message: 'a\0b' }, 'body.message', broken],
    ['a message with half a character', { message: 'a\ud800b' }, 'body.message', broken],
    ['an unknown field', { message: 'm', mesage: 'm' }, 'body.mesage', 'is not a known field'],
    [
      'metadata of 16,385 bytes',
      { message: 'm', metadata: ofBytes(16_385) },
      'body.metadata',
      'must be at most 16,384 bytes of JSON',
    ],
    [
      'metadata of 13 levels',
      { message: 'm', metadata: nested(13) },
      'body.metadata',
      'must be nested at most 12 levels deep',
    ],
    ['metadata that is a list', { message: 'm', metadata: [] }, 'body.metadata', 'must be an object'],
    ['metadata that is text', { message: 'm', metadata: '{}' }, 'body.metadata', 'must be an object'],
    ['metadata that is null', { message: 'm', metadata: null }, 'body.metadata', 'must be an object'],
    ['metadata with NUL', { message: 'm', metadata: { a: ['\0'] } }, 'body.metadata', broken],
    [
      'metadata with half a character in a key',
      { message: 'm', metadata: { '\ud800': 1 } },
      'body.metadata',
      broken,
    ],
  ])('%s', async (_, input, path, message) => {
    const { post } = await submitter()
    const { status, body } = await post(input)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'BAD_REQUEST',
      message: `${path} ${message}`,
      details: [{ path, message }],
    })
  })

  test('metadata over the limit in bytes, not in characters', async () => {
    const { client } = await submitter()
    const metadata = { a: 'é'.repeat(8192) }
    await expect(client.feedback.submit({ message: 'm', metadata })).rejects.toMatchObject({ status: 400 })
  })

  test('metadata with prototype keys', async () => {
    const { post } = await submitter()
    const { status, body } = await post('{"message":"m","metadata":{"a":{"__proto__":{"admin":true}}}}')
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('the limit of ten submissions a minute', () => {
  test('returns the remaining calls, and RATE_LIMITED for the eleventh', async () => {
    app.clock.freeze()
    const { post, client } = await submitter()
    const responses = await Promise.all(Array.from({ length: 11 }, () => post({ message: 'Again' })))
    const refused = responses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expect(refused[0]!.body.error.code).toBe('RATE_LIMITED')
    expect(refused[0]!.headers.get('retry-after')).toBe('6')
    expect(refused[0]!.headers.get('ratelimit-reset')).toBe('60')
    expect(
      responses.map(({ headers }) => Number(headers.get('ratelimit-remaining'))).sort((a, b) => a - b),
    ).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(new Set(responses.map(({ headers }) => headers.get('ratelimit-limit')))).toEqual(new Set(['10']))
    expect((await client.feedback.list({})).total).toBe(10)
  })

  test('refills over time and is separate for each user', async () => {
    app.clock.freeze()
    const { post, org } = await submitter()
    const submitTen = () => Promise.all(Array.from({ length: 10 }, () => post({ message: 'Again' })))
    await submitTen()
    const colleague = await app.withKey(await app.person(org))
    await expect(colleague.feedback.submit({ message: 'Mine' })).resolves.toMatchObject({ status: 'open' })
    expect((await post({ message: 'Too soon' })).status).toBe(429)
    app.clock.advance(6)
    expect((await post({ message: 'One more' })).status).toBe(201)
    expect((await post({ message: 'Too soon' })).status).toBe(429)
    app.clock.advance(60)
    expect((await submitTen()).map(({ status }) => status)).toEqual(Array(10).fill(201))
  })
})

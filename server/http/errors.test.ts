import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ERROR_STATUS, ErrorBody, type ErrorCode } from '../../contract/errors.ts'
import { waitingBackends, whileLocked } from '../testing/locks.ts'
import { captureLog } from '../testing/log.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../testing/test-app.ts'

const log = captureLog()

let app: TestApp
let headers: Headers
beforeAll(async () => {
  app = await buildTestApp({ log: log.stream })
})
beforeEach(async () => {
  headers = (await app.newcomer()).headers
})
afterAll(() => app.close())

type Answer = Awaited<ReturnType<TestApp['request']>>

function expectError(answer: Answer, code: ErrorCode, message?: string) {
  expect(ErrorBody.strict().parse(answer.body).error).toMatchObject(message ? { code, message } : { code })
  expect(answer.status).toBe(ERROR_STATUS[code])
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body.error.requestId).toBe(answer.headers.get('x-request-id'))
}

const post = (body: unknown, more: Headers = {}) =>
  app.request('POST', '/api/v1/feedback', { headers: { ...headers, ...more }, body })

describe('every failure has the same body', () => {
  test.each(['{"message":', 'message', '{"message":"m"}}', "{'message':'m'}"])(
    'malformed JSON such as %s is BAD_REQUEST',
    async (body) => expectError(await post(body), 'BAD_REQUEST', 'The body is not valid JSON'),
  )

  test.each(['', '[]', '"text"', 'null', '7'])(
    'the body %j instead of an object is BAD_REQUEST',
    async (body) => expectError(await post(body), 'BAD_REQUEST'),
  )

  test.each([
    ['GET', '/api/v1/nothing'],
    ['GET', '/nothing'],
    ['POST', '/healthz'],
    ['PUT', '/api/v1/feedback'],
    ['DELETE', '/api/v1/feedback'],
    ['OPTIONS', '/api/v1/feedback'],
  ])('%s %s, an unknown route or a wrong method, is NOT_FOUND', async (method, path) =>
    expectError(await app.request(method, path, { headers }), 'NOT_FOUND', `${method} ${path} not found`),
  )

  test('an unknown route does not repeat the query, which may hold a secret', async () => {
    const answer = await app.request('GET', '/api/v1/nothing?token=secret')
    expectError(answer, 'NOT_FOUND')
    expect(answer.text).not.toContain('secret')
  })

  test('a body over 131,072 bytes is PAYLOAD_TOO_LARGE', async () => {
    const ofBytes = (bytes: number) => `{"message":"${'x'.repeat(bytes - '{"message":""}'.length)}"}`
    expectError(await post(ofBytes(131_072)), 'BAD_REQUEST', 'body.message must be 1 to 5,000 characters')
    expectError(await post(ofBytes(131_073)), 'PAYLOAD_TOO_LARGE')
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'])(
    'a body of type %s is UNSUPPORTED_MEDIA_TYPE',
    async (type) =>
      expectError(await post('{"message":"m"}', { 'content-type': type }), 'UNSUPPORTED_MEDIA_TYPE'),
  )

  test.each([
    'nonsense',
    '7',
    '01890000-0000-7000-8000-00000000000',
    '01890000-0000-7000-8000-000000000000%00',
  ])('the path id %s, which cannot exist, is NOT_FOUND', async (id) => {
    expectError(await app.request('GET', `/api/v1/feedback/${id}`, { headers }), 'NOT_FOUND')
    expectError(await app.request('GET', `/api/v1/feedback/${id}/comments`, { headers }), 'NOT_FOUND')
  })

  test('an address that is not validly encoded is BAD_REQUEST', async () =>
    expectError(await app.request('GET', '/api/v1/feedback/%zz', { headers }), 'BAD_REQUEST'))

  test('an unknown query parameter is BAD_REQUEST, by name', async () =>
    expectError(
      await app.request('GET', '/api/v1/feedback?limt=5', { headers }),
      'BAD_REQUEST',
      'query.limt is not a known field',
    ))

  test('all that is wrong is named at once', async () => {
    const answer = await post({ mesage: 'm', metadata: [], idempotencyKey: '' })
    const paths = answer.body.error.details.map(({ path }: { path: string }) => path)
    expect(paths.sort()).toEqual(['body.idempotencyKey', 'body.mesage', 'body.message', 'body.metadata'])
  })

  test('who is calling is asked before what they send', async () =>
    expectError(await app.request('POST', '/api/v1/feedback', { body: '{"mess' }), 'UNAUTHORIZED'))
})

describe('a failure on our side', () => {
  test('is INTERNAL, says nothing of the inside, and is found in the log by its request id', async () => {
    await app.sql`alter table feedback rename to hidden`
    const answer = await app.request('GET', '/api/v1/feedback', { headers })
    await app.sql`alter table hidden rename to feedback`
    expectError(answer, 'INTERNAL', 'Something went wrong on our side; the request id finds it in the log')
    expect(answer.body.error.details).toBeUndefined()
    const line = log.lines.find(
      (entry) => entry.includes('request failed') && entry.includes(answer.body.error.requestId),
    )
    expect(line).toContain('relation \\"feedback\\" does not exist')
  })

  test('to reach the database is UNAVAILABLE', async () => {
    const answer = await whileLocked(app.sql, 'feedback', async () => {
      const answering = app.request('GET', '/api/v1/feedback', { headers })
      await app.sql`select pg_terminate_backend(pid) from unnest(${await waitingBackends(app.sql)}::int[]) as pid`
      return answering
    })
    expectError(answer, 'UNAVAILABLE')
  })

  test('leaves no key and no cookie in the log', async () => {
    const session = await app.session(await app.person(await app.organization()))
    await app.request('GET', '/api/v1/auth/session?token=secret', { headers: cookie(session) })
    const text = log.lines.join('')
    expect(text).toContain('GET /api/v1/auth/session')
    expect(text).not.toContain(headers.authorization!.slice('Bearer '.length))
    expect(text).not.toContain(session.cookie.split('=')[1])
    expect(text).not.toContain('token=secret')
  })
})

describe('x-request-id', () => {
  const read = (id?: string) => app.request('GET', '/healthz', { headers: id ? { 'x-request-id': id } : {} })

  test.each(['abcd.EF-12_3', 'a'.repeat(8), 'a'.repeat(128)])('%s is honoured', async (id) => {
    expect((await read(id)).headers.get('x-request-id')).toBe(id)
  })

  test.each([undefined, 'a'.repeat(7), 'a'.repeat(129), 'abc def ghi', '<script>1'])(
    '%s is replaced by a new one',
    async (id) => {
      expect((await read(id)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})

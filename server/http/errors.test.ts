import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ERROR_STATUS, ErrorBody, type ErrorCode } from '../../contract/errors.ts'
import { waitForBlockedBackends, whileLocked } from '../testing/locks.ts'
import { captureLog } from '../testing/log.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../testing/test-app.ts'

const log = captureLog()

let app: TestApp
let headers: Headers
beforeAll(async () => {
  app = await buildTestApp({ log: log.stream })
})
beforeEach(async () => {
  headers = (await app.newUser()).headers
})
afterAll(() => app.close())

type Response = Awaited<ReturnType<TestApp['request']>>

function expectError(response: Response, code: ErrorCode, message?: string) {
  expect(ErrorBody.strict().parse(response.body).error).toMatchObject(message ? { code, message } : { code })
  expect(response.status).toBe(ERROR_STATUS[code])
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.body.error.requestId).toBe(response.headers.get('x-request-id'))
}

const post = (body: unknown, extraHeaders: Headers = {}) =>
  app.request('POST', '/api/v1/feedback', { headers: { ...headers, ...extraHeaders }, body })

describe('error responses', () => {
  test.each(['{"message":', 'message', '{"message":"m"}}', "{'message':'m'}"])(
    'malformed JSON such as %s is BAD_REQUEST',
    async (body) => expectError(await post(body), 'BAD_REQUEST', 'The body is not valid JSON'),
  )

  test.each(['', '[]', '"text"', 'null', '7'])(
    'a body that is not an object, such as %j, is BAD_REQUEST',
    async (body) => expectError(await post(body), 'BAD_REQUEST'),
  )

  test.each([
    ['GET', '/api/v1/nothing'],
    ['GET', '/nothing.json'],
    ['POST', '/healthz'],
    ['PUT', '/api/v1/feedback'],
    ['DELETE', '/api/v1/feedback'],
    ['OPTIONS', '/api/v1/feedback'],
  ])('%s %s, an unknown route or a wrong method, is NOT_FOUND', async (method, path) =>
    expectError(await app.request(method, path, { headers }), 'NOT_FOUND', `${method} ${path} not found`),
  )

  test('an unknown route does not echo the query, which may contain a secret', async () => {
    const response = await app.request('GET', '/api/v1/nothing?token=secret')
    expectError(response, 'NOT_FOUND')
    expect(response.text).not.toContain('secret')
  })

  test('a body over 131,072 bytes is PAYLOAD_TOO_LARGE', async () => {
    const ofBytes = (bytes: number) => `{"message":"${'x'.repeat(bytes - '{"message":""}'.length)}"}`
    expectError(await post(ofBytes(131_072)), 'BAD_REQUEST', 'body.message must be 1 to 5,000 characters')
    expectError(await post(ofBytes(131_073)), 'PAYLOAD_TOO_LARGE')
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'])(
    'a body with type %s is UNSUPPORTED_MEDIA_TYPE',
    async (type) =>
      expectError(await post('{"message":"m"}', { 'content-type': type }), 'UNSUPPORTED_MEDIA_TYPE'),
  )

  test.each([
    'nonsense',
    '7',
    '01890000-0000-7000-8000-00000000000',
    '01890000-0000-7000-8000-000000000000%00',
  ])('the malformed id %s in a path is NOT_FOUND', async (id) => {
    expectError(await app.request('GET', `/api/v1/feedback/${id}`, { headers }), 'NOT_FOUND')
    expectError(await app.request('GET', `/api/v1/feedback/${id}/comments`, { headers }), 'NOT_FOUND')
  })

  test('an invalid percent-encoding in the URL is BAD_REQUEST', async () =>
    expectError(await app.request('GET', '/api/v1/feedback/%zz', { headers }), 'BAD_REQUEST'))

  test('an unknown query parameter is BAD_REQUEST and is named', async () =>
    expectError(
      await app.request('GET', '/api/v1/feedback?limt=5', { headers }),
      'BAD_REQUEST',
      'query.limt is not a known field',
    ))

  test('one response lists all invalid fields', async () => {
    const response = await post({ mesage: 'm', metadata: [], idempotencyKey: '' })
    const paths = response.body.error.details.map(({ path }: { path: string }) => path)
    expect(paths.sort()).toEqual(['body.idempotencyKey', 'body.mesage', 'body.message', 'body.metadata'])
  })

  test('authentication precedes body parsing', async () =>
    expectError(await app.request('POST', '/api/v1/feedback', { body: '{"mess' }), 'UNAUTHORIZED'))
})

describe('an internal failure', () => {
  test('is INTERNAL, reveals no details and is logged with the request id', async () => {
    await app.sql`alter table feedback rename to hidden`
    const response = await app.request('GET', '/api/v1/feedback', { headers })
    await app.sql`alter table hidden rename to feedback`
    expectError(
      response,
      'INTERNAL',
      'Internal error; the server log contains the cause under the request id',
    )
    expect(response.body.error.details).toBeUndefined()
    const line = log.lines.find(
      (entry) => entry.includes('request failed') && entry.includes(response.body.error.requestId),
    )
    expect(line).toContain('relation \\"feedback\\" does not exist')
  })

  test.each(['22021', '22P05'])('is BAD_REQUEST if PostgreSQL cannot store text, %s', async (code) => {
    await app.sql.unsafe(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'invalid text' using errcode = '${code}'; end $$;
      create trigger refuse before insert on feedback for each row execute function refuse()`)
    const response = await post({ message: 'm' })
    await app.sql`drop function refuse cascade`
    expectError(response, 'BAD_REQUEST', 'The request contains NUL or broken Unicode characters')
  })

  test('is UNAVAILABLE if the database connection fails', async () => {
    const response = await whileLocked(app.sql, 'feedback', async () => {
      const pending = app.request('GET', '/api/v1/feedback', { headers })
      await app.sql`select pg_terminate_backend(pid) from unnest(${await waitForBlockedBackends(app.sql)}::int[]) as pid`
      return pending
    })
    expectError(response, 'UNAVAILABLE')
  })

  test.each([
    ['53100', 507, 'INSUFFICIENT_STORAGE', 'database_full'],
    // PgBouncer: query_wait_timeout, server_login_retry, client_idle_timeout.
    ['08P01', 503, 'UNAVAILABLE', 'database_unavailable'],
    ['08006', 503, 'UNAVAILABLE', 'database_unavailable'],
    ['53300', 503, 'UNAVAILABLE', 'database_unavailable'],
    ['57P01', 503, 'UNAVAILABLE', 'database_unavailable'],
    ['57P03', 503, 'UNAVAILABLE', 'database_unavailable'],
    // lock_timeout, a deadlock, and a serialization failure.
    ['55P03', 503, 'UNAVAILABLE', 'busy'],
    ['40P01', 503, 'UNAVAILABLE', 'busy'],
    ['40001', 503, 'UNAVAILABLE', 'busy'],
  ])('names its reason for SQLSTATE %s', async (sqlstate, status, code, reason) => {
    await app.sql.unsafe(`
      create or replace function fail() returns trigger language plpgsql as
        $$ begin raise exception 'refused' using errcode = '${sqlstate}'; end $$;
      create trigger fail before insert on feedback for each row execute function fail()`)
    const response = await post({ message: 'm' })
    await app.sql`drop trigger fail on feedback`
    expect([response.status, response.body.error.code, response.body.error.details]).toEqual([
      status,
      code,
      { reason },
    ])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('leaves the process ready to read while the database disk is full', async () => {
    await app.sql.unsafe(`
      create or replace function fail() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
      create trigger fail before insert on feedback for each row execute function fail()`)
    await expect.poll(async () => (await app.request('GET', '/readyz')).status).toBe(200)
    await post({ message: 'm' })
    const { status, body } = await app.request('GET', '/readyz')
    expect([status, body.status, body.parts.database]).toEqual([200, 'degraded', 'full'])
    const { client } = await app.operator()
    expect((await client.operations.health()).problems).toContainEqual({
      level: 'critical',
      code: 'database_full',
      message: expect.any(String),
    })
    await app.sql`drop trigger fail on feedback`
    await expect.poll(async () => (await app.request('GET', '/readyz')).body.status).toBe('ready')
  })

  test('is UNAVAILABLE with a reason and retry time if a statement takes too long', async () => {
    const response = await whileLocked(app.sql, 'feedback', async () => {
      const pending = app.request('GET', '/api/v1/feedback', { headers })
      await app.sql`select pg_cancel_backend(pid) from unnest(${await waitForBlockedBackends(app.sql)}::int[]) as pid`
      return pending
    })
    expectError(response, 'UNAVAILABLE')
    expect(response.body.error.details).toEqual({ reason: 'timeout' })
    expect(response.headers.get('retry-after')).toBe('5')
  })

  test('logs no key, no cookie and no query', async () => {
    const session = await app.session(await app.person(await app.organization()))
    await app.request('GET', '/api/v1/auth/session?token=secret', { headers: cookie(session) })
    const text = log.lines.join('')
    expect(text).toContain('GET /api/v1/auth/session')
    expect(text).not.toContain(headers.authorization!.slice('Bearer '.length))
    expect(text).not.toContain(session.cookie.split('=')[1])
    expect(text).not.toContain('token=secret')
  })
})

test('a body that is not UTF-8 is refused instead of stored with replaced characters', async () => {
  const body = Buffer.from([...Buffer.from('{"message":"'), 0xc3, 0x28, 0xff, ...Buffer.from('"}')])
  const response = await fetch(`${app.url}/api/v1/feedback`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { message: 'body must be valid UTF-8' } })
})

describe('x-request-id', () => {
  const read = (id?: string) => app.request('GET', '/healthz', { headers: id ? { 'x-request-id': id } : {} })

  test.each(['abcd.EF-12_3', 'a'.repeat(8), 'a'.repeat(128)])('%s is accepted', async (id) => {
    expect((await read(id)).headers.get('x-request-id')).toBe(id)
  })

  test.each([undefined, 'a'.repeat(7), 'a'.repeat(129), 'abc def ghi', '<script>1'])(
    '%s is replaced by a generated id',
    async (id) => {
      expect((await read(id)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})

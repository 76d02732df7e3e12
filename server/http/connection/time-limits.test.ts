import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ErrorBody } from '../../../contract/errors.ts'
import { exchangeRaw } from '../../testing/clients/raw-http.ts'
import { countObjects, storedFiles } from '../../testing/factories/uploads.ts'
import { captureLog } from '../../testing/log.ts'
import { bearer, buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { createBodyProgress } from './time-limits.ts'

const log = captureLog()

let app: TestApp
beforeAll(async () => {
  const body = { windowMs: 100, bytesMin: 1_000_000_000, sweepMs: 20 }
  app = await buildTestApp({ log: log.stream, app: { timeLimits: { headersMs: 500, body } } })
})
afterAll(() => app.close())

const incompleteRequest = (method: string, path: string, headers: string[] = []) =>
  [`${method} ${path} HTTP/1.1`, 'host: localhost', ...headers, 'content-length: 100', '', '{"half":'].join(
    '\r\n',
  )

type Exchange = Awaited<ReturnType<typeof exchangeRaw>>

function expectTimeout({ status, headers, body }: Exchange) {
  expect(status).toBe(408)
  expect(ErrorBody.strict().parse(body).error.code).toBe('REQUEST_TIMEOUT')
  expect(headers.get('x-request-id')).toBe(body.error.requestId)
  expect(headers.get('connection')).toBe('close')
}

const JSON_TYPE = 'content-type: application/json'

describe('body that stops arriving', () => {
  test.each([
    ['a public route', 'POST', '/api/v1/auth/sign-in/email'],
    ['a receiver', 'POST', '/api/v1/webhooks/receive/01890000-0000-7000-8000-000000000000'],
    ['an unknown route', 'POST', '/api/v1/nothing'],
    ['a page', 'POST', '/sign-in'],
  ])('ends with REQUEST_TIMEOUT on %s', async (_, method, path) => {
    expectTimeout(await exchangeRaw(app.url, incompleteRequest(method, path, [JSON_TYPE])))
  })

  test("ends with REQUEST_TIMEOUT on a member's route", async () => {
    const { headers } = await app.newUser()
    const lines = [JSON_TYPE, `authorization: ${headers.authorization}`]
    expectTimeout(await exchangeRaw(app.url, incompleteRequest('POST', '/api/v1/feedback', lines)))
  })

  test('ends with REQUEST_TIMEOUT in chunks', async () => {
    const head = `POST /api/v1/auth/sign-in/email HTTP/1.1\r\nhost: localhost\r\n${JSON_TYPE}\r\n`
    expectTimeout(await exchangeRaw(app.url, `${head}transfer-encoding: chunked\r\n\r\n8\r\n{"half":\r\n`))
  })

  test('ends with REQUEST_TIMEOUT in a form, and leaves no object', async () => {
    const person = await app.person(await app.organization())
    const { authorization } = bearer(await app.key(person, ['files:write']))
    const lines = [`authorization: ${authorization}`, 'content-type: multipart/form-data; boundary=edge']
    const part = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf'
    expectTimeout(
      await exchangeRaw(
        app.url,
        incompleteRequest('POST', '/api/v1/files', lines)
          .replace('length: 100', 'length: 9999')
          .replace('{"half":', part),
      ),
    )
    await expect.poll(() => countObjects(app, person.orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, person.orgId)).toBe(0)
  })

  test('ends with REQUEST_TIMEOUT in a signed URL upload, which can be sent again', async () => {
    const person = await app.person(await app.organization())
    const headers = bearer(await app.key(person, ['files:write']))
    const body = { name: 'a.txt', mimeType: 'text/plain', size: 100 }
    const created = await app.request('POST', '/api/v1/files', { headers, body })
    const { uploadUrl } = created.body.data
    expectTimeout(await exchangeRaw(app.url, incompleteRequest('PUT', new URL(uploadUrl).pathname)))
    await expect.poll(() => countObjects(app, person.orgId)).toEqual({ known: 1, unfinished: 1 })
    expect((await fetch(uploadUrl, { method: 'PUT', body: 'x'.repeat(100) })).status).toBe(200)
  })
})

test('a body that stops arriving after its request was refused closes the connection', async () => {
  const { status, body } = await exchangeRaw(
    app.url,
    incompleteRequest('POST', '/api/v1/feedback', [JSON_TYPE]),
  )
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
})

test('an OAuth endpoint reports a body that stops arriving in the OAuth format', async () => {
  const { status, body } = await exchangeRaw(
    app.url,
    incompleteRequest('POST', '/api/v1/auth/device/token', [JSON_TYPE]),
  )
  expect([status, body.error]).toEqual([400, 'invalid_request'])
})

test.each(['', 'GET /healthz HTTP/1.1\r\nhost: loc'])(
  'headers that stop arriving after %j end with REQUEST_TIMEOUT',
  async (sent) => expectTimeout(await exchangeRaw(app.url, sent)),
)

test('a request ended by a time limit is not logged as a server failure', () => {
  expect(log.lines.filter((line) => line.includes('request failed'))).toEqual([])
})

describe('createBodyProgress', () => {
  function watchBody() {
    const clock = { now: 0 }
    const expired: string[] = []
    const progress = createBodyProgress<Message, string>(
      { windowMs: 30_000, bytesMin: 15_000 },
      (_, reply) => expired.push(reply),
      () => clock.now,
    )
    const message = { complete: false, destroyed: false, readableLength: 0, socket: { bytesRead: 500 } }
    progress.watch(message, 'upload')
    const advance = (seconds: number, bytes: number) => {
      clock.now += seconds * 1000
      message.socket.bytesRead += bytes
      progress.sweep()
    }
    return { progress, message, expired, advance }
  }
  type Message = Parameters<ReturnType<typeof createBodyProgress>['watch']>[0]

  test('does not expire a slow body while its bytes arrive, even for hours', () => {
    const { advance, expired, progress } = watchBody()
    for (let n = 0; n < 1000; n++) advance(30, 15_000)
    expect([expired, progress.size()]).toEqual([[], 1])
  })

  test('expires a body that arrives too slowly, once', () => {
    const { advance, expired, progress } = watchBody()
    advance(30, 15_000)
    advance(29, 14_000)
    expect(expired).toEqual([])
    advance(1, 999)
    advance(30, 0)
    expect([expired, progress.size()]).toEqual([['upload'], 0])
  })

  test('does not expire a body the server has not read yet', () => {
    const { advance, message, expired } = watchBody()
    message.readableLength = 16_384
    advance(600, 0)
    message.readableLength = 0
    advance(29, 0)
    expect(expired).toEqual([])
    advance(1, 0)
    expect(expired).toEqual(['upload'])
  })

  test('stops observing a body once it is complete or its connection is closed', () => {
    for (const change of [{ complete: true }, { destroyed: true }]) {
      const { advance, message, expired, progress } = watchBody()
      Object.assign(message, change)
      advance(60, 0)
      expect([expired, progress.size()]).toEqual([[], 0])
    }
  })
})

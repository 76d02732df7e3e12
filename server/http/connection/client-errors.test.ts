import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERROR_STATUS, ErrorBody, type ErrorCode } from '../../../contract/errors.ts'
import { exchangeRaw } from '../../testing/clients/raw-http.ts'
import { captureLog } from '../../testing/log.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'

const log = captureLog()

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ log: log.stream })
})
afterAll(() => app.close())

const HOST = 'host: localhost\r\n'
const CLOSE = 'connection: close\r\n\r\n'
const post = `POST /api/v1/auth/sign-in/email HTTP/1.1\r\n${HOST}content-type: application/json\r\n`

const CASES: [name: string, sent: string, code: ErrorCode][] = [
  ['a malformed request line', 'nonsense\r\n\r\n', 'BAD_REQUEST'],
  ['an unknown method', `BREW / HTTP/1.1\r\n${HOST}${CLOSE}`, 'BAD_REQUEST'],
  ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'BAD_REQUEST'],
  ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n`, 'NOT_FOUND'],
  ['a header with a space before the colon', `GET / HTTP/1.1\r\n${HOST}a : b\r\n${CLOSE}`, 'BAD_REQUEST'],
  [
    'headers over 16 KB',
    `GET / HTTP/1.1\r\n${HOST}a: ${'x'.repeat(20_000)}\r\n${CLOSE}`,
    'HEADERS_TOO_LARGE',
  ],
  ['a URL over 16 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}${CLOSE}`, 'HEADERS_TOO_LARGE'],
  [
    'both content-length and transfer-encoding',
    `${post}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'BAD_REQUEST',
  ],
  [
    'two different content-lengths',
    `${post}content-length: 3\r\ncontent-length: 4\r\n\r\n{}}`,
    'BAD_REQUEST',
  ],
  ['a malformed chunk', `${post}transfer-encoding: chunked\r\n\r\nnonsense\r\n`, 'BAD_REQUEST'],
  ['a URL that cannot be decoded', `GET /%zz HTTP/1.1\r\n${HOST}${CLOSE}`, 'BAD_REQUEST'],
  ['no host', `GET /healthz HTTP/1.1\r\n${CLOSE}`, 'BAD_REQUEST'],
  ['an empty host', `GET /healthz HTTP/1.1\r\nhost:\r\n${CLOSE}`, 'BAD_REQUEST'],
  ['an unknown expectation', `GET /api/v1/nothing HTTP/1.1\r\n${HOST}expect: cake\r\n${CLOSE}`, 'NOT_FOUND'],
]

test.each(CASES)('%s gets the error body with a request id', async (_name, sent, code) => {
  const { status, headers, body } = await exchangeRaw(app.url, sent)
  expect(status).toBe(ERROR_STATUS[code])
  expect(ErrorBody.strict().parse(body).error.code).toBe(code)
  expect(headers.get('x-request-id')).toBe(body.error.requestId)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(log.lines.filter((line) => line.includes('request failed'))).toEqual([])
})

test('a request refused before routing is logged under its request id', async () => {
  const { body } = await exchangeRaw(app.url, 'nonsense\r\n\r\n')
  expect(log.lines.find((line) => line.includes(body.error.requestId))).toContain('HPE_')
})

const HOSTS = [
  'a b',
  'a/b',
  'a@b',
  'a:b',
  'a:99999999',
  '[::1',
  '999.999.999.999',
  '<script>',
  'a,b',
  '%41',
  'ä',
]
test.each(HOSTS)('the host %s is BAD_REQUEST on every route that uses it', async (host) => {
  for (const path of ['/api/v1/auth/sign-in/passkey/options', '/api/v1/feedback']) {
    const sent = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n${CLOSE}`
    const { status, body } = await exchangeRaw(app.url, sent)
    expect([status, body.error.message]).toEqual([400, 'The request requires a valid Host header'])
  }
})

test.each([
  'localhost',
  'localhost:3000',
  '127.0.0.1:3000',
  '[::1]:3000',
  'my_host.example',
  'xn--bcher-kva.example',
])('the host %s is accepted', async (host) => {
  const sent = `GET /healthz HTTP/1.1\r\nhost: ${host}\r\n${CLOSE}`
  expect((await exchangeRaw(app.url, sent)).status).toBe(200)
})

test('HTTP/1.0 needs no host', async () => {
  expect((await exchangeRaw(app.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
  const passkey = 'POST /api/v1/auth/sign-in/passkey/options HTTP/1.0\r\ncontent-length: 0\r\n\r\n'
  expect((await exchangeRaw(app.url, passkey)).status).toBe(200)
})

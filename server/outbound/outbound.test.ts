import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { loopbackServers } from '../testing/fakes/loopback-servers.ts'
import { CERTIFICATE, KEY } from '../testing/fakes/untrusted-certificate.ts'
import { createOutbound, type OutboundRequest } from './outbound.ts'

const { listen, serve, closeAfterTest } = loopbackServers()

const createClient = (allowed = ['127.0.0.0/8']) => {
  const client = createOutbound({ allowed })
  closeAfterTest(client.close)
  return client
}
const post = (url: string) =>
  createClient().post(url, { headers: { 'content-type': 'application/json' }, body: '{}' })
const LIMITS = { timeoutMs: 5000, bytesMax: 1024 }
const request = (url: string, options: Partial<OutboundRequest> = {}) =>
  createClient().request({ method: 'POST', url, body: '{}', ...LIMITS, ...options })

/** Responds with the method, headers and body of the request. */
const serveEcho = () =>
  serve(async (incoming, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    response
      .writeHead(201, { 'x-method': incoming.method!, 'x-token': incoming.headers['x-token'] ?? 'none' })
      .end(Buffer.concat(chunks))
  })

describe('request', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'sends %s with headers and a body',
    async (method) => {
      const outcome = await request(await serveEcho(), {
        method,
        headers: { 'x-token': 'yes' },
        body: 'text',
      })
      expect(outcome).toMatchObject({
        kind: 'response',
        response: { status: 201, headers: { 'x-method': method, 'x-token': 'yes' }, truncated: false },
      })
      expect(outcome.kind === 'response' && outcome.response.body.toString()).toBe('text')
    },
  )

  test.each(['GET', 'HEAD'] as const)('sends %s without a body', async (method) => {
    const outcome = await request(await serveEcho(), { method, body: undefined })
    expect(outcome).toMatchObject({
      kind: 'response',
      response: { status: 201, headers: { 'x-method': method }, truncated: false },
    })
    expect(outcome.kind === 'response' && outcome.response.body.length).toBe(0)
  })

  test('sends bytes and streams unchanged', async () => {
    const bytes = new Uint8Array([0, 255, 128])
    const url = await serveEcho()
    for (const body of [bytes, Readable.from([bytes.subarray(0, 1), bytes.subarray(1)])]) {
      const outcome = await request(url, { body })
      expect(outcome.kind === 'response' && [...outcome.response.body]).toEqual([...bytes])
    }
  })

  test.each([
    [3, 'abc', true],
    [4, 'abcd', false],
  ])('reads at most %i bytes from a four-byte response', async (bytesMax, body, truncated) => {
    const outcome = await request(await serve((_request, response) => response.end('abcd')), { bytesMax })
    expect(outcome).toMatchObject({ kind: 'response', response: { truncated } })
    expect(outcome.kind === 'response' && outcome.response.body.toString()).toBe(body)
  })

  test('fails when the response takes longer than the time limit', async () => {
    expect(await request(await serve(() => {}), { timeoutMs: 300 })).toMatchObject({
      kind: 'failure',
      error: 'No response within 0.3 seconds',
    })
  })

  test("closes a refused request's body stream", async () => {
    const body = Readable.from(['text'])
    expect(await request('http://10.0.0.1/', { body })).toMatchObject({
      kind: 'failure',
      error: 'The URL must be a public URL',
    })
    expect(body.destroyed).toBe(true)
  })
})

describe('stream', () => {
  const stream = async (bytesMax: number) => {
    const chunks: string[] = []
    const url = await serve((_request, response) => response.end('abcd'))
    const outcome = await createClient().stream(
      { method: 'GET', url, timeoutMs: 5000, bytesMax },
      async ({ status, body }) => {
        for await (const chunk of body) chunks.push(Buffer.from(chunk).toString())
        return status
      },
    )
    return { outcome, text: chunks.join('') }
  }

  test('passes the response to the consumer and returns its result', async () => {
    expect(await stream(4)).toMatchObject({ outcome: { kind: 'response', response: 200 }, text: 'abcd' })
  })

  test('fails on a response over the byte limit', async () => {
    expect(await stream(3)).toMatchObject({
      outcome: { kind: 'failure', error: 'The response is larger than 3 bytes' },
      text: 'abc',
    })
  })

  test('fails when the response stops arriving', async () => {
    const url = await serve((_request, response) => void response.write('ab'))
    const consume = async ({ body }: { body: AsyncIterable<Uint8Array> }) => {
      for await (const _ of body);
    }
    const limits = { timeoutMs: 300, bytesMax: 100 }
    expect(await createClient().stream({ method: 'GET', url, ...limits }, consume)).toMatchObject({
      kind: 'failure',
      error: 'No response within 0.3 seconds',
    })
  })

  test('throws the consumer’s own error and closes the connection', async () => {
    let isClosedEarly = false
    const url = await serve((_request, response) => {
      response.on('close', () => (isClosedEarly = !response.writableFinished))
      response.write('ab')
    })
    const streamed = createClient().stream({ method: 'GET', url, ...LIMITS }, async () => {
      throw new Error('out of disk')
    })
    await expect(streamed).rejects.toThrow('out of disk')
    await expect.poll(() => isClosedEarly).toBe(true)
  })
})

describe('post', () => {
  test('sends body and headers and returns the response as text', async () => {
    expect(await post(await serveEcho())).toMatchObject({
      kind: 'response',
      response: { status: 201, headers: { 'x-method': 'POST' }, body: '{}', truncated: false },
    })
  })

  test('reads 16 KB from a 10 MB response and closes the connection', async () => {
    let isClosedEarly = false
    const url = await serve((_request, response) => {
      response.on('close', () => (isClosedEarly = !response.writableFinished))
      response.end(Buffer.alloc(10 * 1024 * 1024, 'x'))
    })
    const outcome = await post(url)
    expect(outcome).toMatchObject({ kind: 'response', response: { status: 200, truncated: true } })
    expect(outcome.kind === 'response' && outcome.response.body.length).toBe(16_384)
    await expect.poll(() => isClosedEarly).toBe(true)
  })

  test('does not decompress a response', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024))
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    const outcome = await post(url)
    expect(outcome).toMatchObject({ kind: 'response', response: { status: 200 } })
    expect(outcome.kind === 'response' && outcome.response.body.length).toBeLessThanOrEqual(16_384)
  })

  test('does not follow a redirect', async () => {
    let isReached = false
    const target = await serve((_request, response) => {
      isReached = true
      response.end()
    })
    const url = await serve((_request, response) => response.writeHead(302, { location: target }).end())
    expect(await post(url)).toMatchObject({ kind: 'response', response: { status: 302 } })
    expect(isReached).toBe(false)
  })
})

describe('request to a hostile server', () => {
  test('fails when the server sends one byte at a time', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(await request(url, { timeoutMs: 300 })).toMatchObject({ kind: 'failure' })
  })

  test('fails when the connection closes within the headers', async () => {
    const port = await listen(createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')))
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failure',
      error: 'The connection was closed before the response was complete',
    })
  })

  test('fails when the server sends 102 Processing forever', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        const repeat = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20)
        socket.on('error', () => {}).on('close', () => clearInterval(repeat))
      }),
    )
    expect(await request(`http://127.0.0.1:${port}/`, { timeoutMs: 300 })).toMatchObject({ kind: 'failure' })
  })

  test('fails when the server never answers the TLS handshake', async () => {
    const port = await listen(createTcpServer((socket) => socket.on('error', () => {})))
    expect(await request(`https://127.0.0.1:${port}/`, { timeoutMs: 300 })).toMatchObject({
      kind: 'failure',
      error: 'No response within 0.3 seconds',
    })
  })

  test('fails when the server does not support TLS', async () => {
    const port = await listen(createServer((_request, response) => response.end()))
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failure',
      error: 'The server does not support TLS',
    })
  })

  test('fails when the response headers never end', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.write(`HTTP/1.1 200 OK\r\n${'x-more: yes\r\n'.repeat(100_000)}`)
      }),
    )
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failure',
      error: 'The response headers are too large',
    })
  })

  test('fails when the certificate is not trusted', async () => {
    const server = createTlsServer({ cert: CERTIFICATE, key: KEY }, (_request, response) =>
      response.end('hello'),
    )
    const outcome = await post(`https://127.0.0.1:${await listen(server)}/`)
    expect(outcome).toMatchObject({ kind: 'failure', error: expect.stringContaining('certificate') })
  })

  test('fails when no server listens', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failure',
      error: 'Connection refused: no server is listening at this URL',
    })
  })
})

describe('fetch', () => {
  test("streams an allowed URL's response and follows no redirect", async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: '/other' }).end('abcd'),
    )
    const response = await createClient().fetch(url, { method: 'POST', body: '{}' })
    expect([response.status, await response.text()]).toEqual([302, 'abcd'])
  })

  test.each(['http://127.0.0.1/', 'http://[::1]/', 'http://2130706433/', 'file:///etc/passwd'])(
    'throws for %s before anything is sent',
    async (url) => {
      await expect(createClient([]).fetch(url)).rejects.toThrow('The URL must')
    },
  )
})

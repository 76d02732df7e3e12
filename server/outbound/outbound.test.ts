import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { startDnsServer } from '../testing/fakes/dns-server.ts'
import { CERTIFICATE, KEY } from '../testing/fakes/untrusted-certificate.ts'
import { createOutbound, type OutboundOptions } from './outbound.ts'

const LOOPBACK = ['127.0.0.0/8']
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const outbound = (options: Partial<OutboundOptions> = {}) => {
  const client = createOutbound({ allowed: LOOPBACK, ...options })
  closers.push(client.close)
  return client
}
const post = (url: string, options: Partial<OutboundOptions> = {}) =>
  outbound(options).post(url, { headers: { 'content-type': 'application/json' }, body: '{}' })

async function listening(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
const serve = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listening(createServer(listener))}/hook`

describe('an end that behaves', () => {
  test('gets the body and the headers, and its answer is kept', async () => {
    let got = ''
    const url = await serve(async (request, response) => {
      for await (const chunk of request) got += chunk
      response.writeHead(201, { 'x-answer': 'yes' }).end('thanks')
    })
    const outcome = await post(url)
    expect(outcome).toMatchObject({
      kind: 'answered',
      response: { status: 201, headers: { 'x-answer': 'yes' }, body: 'thanks', truncated: false },
    })
    expect(got).toBe('{}')
  })
})

describe('a hostile end', () => {
  test('that never answers is given up', async () => {
    const url = await serve(() => {})
    expect(await post(url, { timeLimitMs: 300 })).toMatchObject({
      kind: 'failed',
      error: 'No answer within 0.3 seconds',
    })
  })

  test('that sends a byte now and then is given up as well', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(await post(url, { timeLimitMs: 300 })).toMatchObject({ kind: 'failed' })
  })

  test('that answers 10 MB is read for 16 KB', async () => {
    let isClosedEarly = false
    const url = await serve((_request, response) => {
      response.on('close', () => (isClosedEarly = !response.writableFinished))
      response.end(Buffer.alloc(10 * 1024 * 1024, 'x'))
    })
    const outcome = await post(url)
    expect(outcome).toMatchObject({ kind: 'answered', response: { status: 200, truncated: true } })
    expect(outcome.kind === 'answered' && outcome.response.body.length).toBe(16_384)
    await expect.poll(() => isClosedEarly).toBe(true)
  })

  test('that answers with little that unfolds to much is not unfolded', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024))
    const url = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    const outcome = await post(url)
    expect(outcome).toMatchObject({ kind: 'answered', response: { status: 200 } })
    expect(outcome.kind === 'answered' && outcome.response.body.length).toBeLessThanOrEqual(16_384)
  })

  test('that redirects is not followed', async () => {
    let isReached = false
    const inside = await serve((_request, response) => {
      isReached = true
      response.end()
    })
    const url = await serve((_request, response) => response.writeHead(302, { location: inside }).end())
    expect(await post(url)).toMatchObject({ kind: 'answered', response: { status: 302 } })
    expect(isReached).toBe(false)
  })

  test('that closes in the middle of its headers has failed', async () => {
    const port = await listening(createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')))
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failed',
      error: 'The connection was closed before an answer came',
    })
  })

  test('that says over and over that it will answer is given up', async () => {
    const port = await listening(
      createTcpServer((socket) => {
        const say = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20)
        socket.on('error', () => {}).on('close', () => clearInterval(say))
      }),
    )
    expect(await post(`http://127.0.0.1:${port}/`, { timeLimitMs: 300 })).toMatchObject({ kind: 'failed' })
  })

  test('that takes a connection and says nothing about its certificate is given up', async () => {
    const port = await listening(createTcpServer((socket) => socket.on('error', () => {})))
    expect(await post(`https://127.0.0.1:${port}/`, { timeLimitMs: 300 })).toMatchObject({
      kind: 'failed',
      error: 'No answer within 0.3 seconds',
    })
  })

  test('that is no secure one is told as such', async () => {
    const port = await listening(createServer((_request, response) => response.end()))
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failed',
      error: 'No secure connection could be made: the address does not speak TLS',
    })
  })

  test('that sends headers without end has failed', async () => {
    const port = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.write(`HTTP/1.1 200 OK\r\n${'x-more: yes\r\n'.repeat(100_000)}`)
      }),
    )
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failed',
      error: 'The headers of the answer are too large',
    })
  })

  test('with a certificate that nobody vouches for has failed', async () => {
    const server = createTlsServer({ cert: CERTIFICATE, key: KEY }, (_request, response) =>
      response.end('hello'),
    )
    const port = await listening(server as unknown as Server)
    const outcome = await post(`https://127.0.0.1:${port}/`)
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringContaining('certificate') })
  })

  test('where nothing listens is told as such', async () => {
    const port = await listening(createServer())
    await closers.pop()!()
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'failed',
      error: 'Nothing is listening at this address',
    })
  })
})

describe('a name', () => {
  const named = async (answers: Record<string, string[]>, allowed: string[] = []) => {
    const dns = await startDnsServer(answers)
    closers.push(dns.close)
    return { dns, client: outbound({ allowed, resolvers: [dns.address] }) }
  }
  const send = { headers: {}, body: '{}' }

  test('that leads inside is refused before anything is sent', async () => {
    let isReached = false
    const port = new URL(await serve(() => (isReached = true))).port
    const { client } = await named({ 'inside.example.com': ['127.0.0.1'] })
    expect(await client.problemWith(`http://inside.example.com:${port}/`)).toBe(
      'leads to an address that is not public',
    )
    expect(await client.post(`http://inside.example.com:${port}/`, send)).toMatchObject({
      kind: 'failed',
      error: 'inside.example.com leads to an address that is not public',
    })
    expect(isReached).toBe(false)
  })

  test('that changes its answer after the check does not lead anywhere else', async () => {
    let reached = 0
    const port = new URL(await serve((_request, response) => response.end(String(++reached)))).port
    // The first answer may be used, the later ones lead to where nothing may go.
    const { client, dns } = await named({ 'rebind.example.com': ['127.0.0.1', '10.0.0.1'] }, LOOPBACK)
    const url = `http://rebind.example.com:${port}/`
    expect(await client.post(url, send)).toMatchObject({ kind: 'answered', response: { body: '1' } })
    expect(dns.asked).toEqual(['rebind.example.com'])
    const fresh = outbound({ allowed: LOOPBACK, resolvers: [dns.address] })
    expect(await fresh.post(url, send)).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('leads to an address that is not public'),
    })
  })

  test.each([
    ['an address of the newer kind that stands for one inside', ['::ffff:7f00:1']],
    ['one that is translated to one inside', ['64:ff9b:0:0:0:0:7f00:1']],
    ['one inside beside one outside', ['1.1.1.1', '::1']],
  ])('that leads to %s is refused', async (_name, addresses) => {
    const { client } = await named({ 'both.example.com': addresses })
    expect(await client.post('http://both.example.com:4000/', send)).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('leads to an address that is not public'),
    })
  })

  test('whose servers never answer is given up', async () => {
    const { dns } = await named({})
    const client = outbound({ resolvers: [dns.address], timeLimitMs: 300 })
    expect(await client.post('http://silent.example.com/', send)).toMatchObject({
      kind: 'failed',
      error: 'No answer within 0.3 seconds',
    })
  })

  test('of this machine is looked up where the network is allowed, and checked', async () => {
    const url = new URL(await serve((_request, response) => response.end('here')))
    const here = `http://localhost:${url.port}/`
    expect(await post(here, { allowed: ['127.0.0.0/8', '::1/128'] })).toMatchObject({
      kind: 'answered',
      response: { body: 'here' },
    })
    expect(await post(here, { allowed: ['10.0.0.0/8'] })).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('leads to an address that is not public'),
    })
  })

  test('that has no address is told as such', async () => {
    const { client } = await named({})
    expect(await client.post('http://nowhere.example.com/', send)).toMatchObject({
      kind: 'failed',
      error: 'nowhere.example.com has no address',
    })
  })
})

test('addresses in other clothes are refused when they are used, too', async () => {
  for (const url of [
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
  ]) {
    expect(await post(url, { allowed: [] })).toMatchObject({
      kind: 'failed',
      error: 'The address must be a public address',
    })
  }
})

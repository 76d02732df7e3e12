import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { SocketConnection, SocketRoute } from '../../endpoint/socket-route.ts'
import { forbidden } from '../../errors.ts'
import { exchangeRaw } from '../../testing/clients/raw-http.ts'
import { NO_SUSPENSIONS } from '../../testing/fakes/suspensions.ts'
import { renderError, renderUnknownRoute } from '../errors.ts'
import { acceptsUpgrade, type Sockets, serveSockets } from './sockets.ts'

const BYTES_MAX = 1000
let http: FastifyInstance
let sockets: Sockets
let url: string
let received: string[]
let closes: number[]
let connections: SocketConnection[]

/** Sends each received message back, with its parameter. */
const echo: SocketRoute = {
  path: '/echo/:name',
  bytesMax: BYTES_MAX,
  open: async (_ctx, { params, query }) => {
    if (query.token !== 'right') throw forbidden('The token is wrong')
    return {
      orgId: params.name!,
      accept: async () => (connection) => {
        connections.push(connection)
        return {
          onText: async (text) => {
            received.push(text)
            if (text === 'fail') throw new Error('a fault')
            connection.send(`${params.name}: ${text}`)
          },
          onClose: async (code) => void closes.push(code),
        }
      },
    }
  },
}

beforeEach(async () => {
  received = []
  closes = []
  connections = []
  http = fastify({ http: { shouldUpgradeCallback: acceptsUpgrade([echo]) } })
  http.setErrorHandler(renderError)
  http.setNotFoundHandler((request, reply) => renderUnknownRoute(request, reply))
  sockets = serveSockets(http, {
    routes: [echo],
    contextFor: () => ({}) as never,
    suspensions: NO_SUSPENSIONS,
    publicUrl: null,
    limits: { total: 3, perOrganization: 2 },
    log: pino({ level: 'silent' }),
  })
  await http.listen({ port: 0 })
  url = `http://localhost:${(http.server.address() as AddressInfo).port}`
})
afterEach(() => Promise.all([sockets.close(), http.close()]))

const target = (path: string) => url.replace('http', 'ws') + path

async function open(path = '/echo/a?token=right', options: object = {}): Promise<WebSocket> {
  const socket = new WebSocket(target(path), options)
  await once(socket, 'open')
  return socket
}

/** The status and the body of a refused handshake. */
function readRefusal(path: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(target(path), { headers })
  return new Promise<{ status: number; body: { error: { code: string; message: string } } }>(
    (resolve, reject) => {
      socket.on('open', () => reject(new Error('connected')))
      socket.on('error', reject)
      socket.on('unexpected-response', async (_request, response) => {
        const text = (await response.toArray()).join('')
        resolve({ status: response.statusCode!, body: JSON.parse(text) })
      })
    },
  )
}

const closeOf = async (socket: WebSocket): Promise<number> => (await once(socket, 'close'))[0] as number

test('a socket passes on text in order, and the path parameters', async () => {
  const socket = await open()
  const answers: string[] = []
  socket.on('message', (data) => answers.push((data as Buffer).toString()))
  for (const text of ['one', 'two', 'three']) socket.send(text)
  await expect.poll(() => answers).toEqual(['a: one', 'a: two', 'a: three'])
  socket.close()
  await expect.poll(() => closes).toEqual([1005])
})

test('a refused handshake gets an error like every other request', async () => {
  expect(await readRefusal('/echo/a')).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  expect(await readRefusal('/elsewhere?token=right')).toMatchObject({ status: 404 })
  expect(await readRefusal('/echo/a/b?token=right')).toMatchObject({ status: 404 })
  const crossSite = await readRefusal('/echo/a?token=right', { origin: 'https://evil.example' })
  expect(crossSite).toMatchObject({
    status: 403,
    body: { error: { message: 'This request came from another site' } },
  })
  await open('/echo/a?token=right', { headers: { origin: url } })
  const lines = ['GET /echo/a?token=right HTTP/1.1', 'host: a', 'connection: upgrade', 'upgrade: websocket']
  const send = (...headerLines: string[]) => exchangeRaw(url, [...lines, ...headerLines, '', ''].join('\r\n'))
  expect(await send('sec-websocket-version: 13')).toMatchObject({ status: 400 })
  expect(await send('sec-websocket-version: 8', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==')).toMatchObject(
    {
      status: 400,
    },
  )
  const plain = await fetch(`${url}/echo/a?token=right`)
  expect([plain.status, (await plain.json()).error.message]).toEqual([400, 'This URL is for WebSockets'])
  const posted = await fetch(`${url}/echo/a?token=right`, { method: 'POST' })
  expect(posted.status).toBe(404)
})

test('sockets are limited per organization and process, and closed ones are freed', async () => {
  const first = await open('/echo/a?token=right')
  await open('/echo/a?token=right')
  expect(await readRefusal('/echo/a?token=right')).toMatchObject({ status: 429 })
  await open('/echo/b?token=right')
  expect(await readRefusal('/echo/c?token=right')).toMatchObject({ status: 503 })
  first.close()
  await closeOf(first)
  await expect.poll(() => closes).toHaveLength(1)
  await open('/echo/c?token=right')
})

test('a connection with too large, binary, fragmented or too many messages is closed', async () => {
  const large = await open()
  large.send('x'.repeat(BYTES_MAX + 1))
  expect(await closeOf(large)).toBe(1009)
  const binary = await open()
  binary.send(Buffer.from('bytes'))
  expect(await closeOf(binary)).toBe(1003)
  const fragments = await open()
  for (let count = 0; count < 100; count += 1) fragments.send('x', { fin: false })
  expect(await closeOf(fragments)).toBe(1008)
  expect(received).toEqual([])
  const flood = await open()
  for (let count = 0; count < 500; count += 1) flood.send('x')
  expect(await closeOf(flood)).toBe(1008)
  expect(received.length).toBeLessThan(300)
  const pings = await open()
  for (let count = 0; count < 500; count += 1) pings.ping()
  expect(await closeOf(pings)).toBe(1008)
})

test('a connection is closed if its message handler fails or its client does not read', async () => {
  const failing = await open()
  failing.send('fail')
  expect(await closeOf(failing)).toBe(1011)
  const slow = await open()
  slow.pause()
  const connection = connections.at(-1)!
  const large = 'x'.repeat(1_000_000)
  for (let count = 0; count < 100 && connection.isOpen(); count += 1) connection.send(large)
  expect(connection.isOpen()).toBe(false)
  slow.terminate()
})

test('other upgrades reach the ordinary routes; clients that disconnect mid-handshake are discarded', async () => {
  const other = await exchangeRaw(
    url,
    'GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n',
  )
  expect(other).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
  const half = connect(Number(new URL(url).port))
  half.write(
    'GET /echo/a?token=right HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  half.destroy()
  await open()
  await open('/echo/b?token=right')
  await open('/echo/c?token=right')
})

test('all connections are closed when the server stops, which waits for their handlers', async () => {
  const clients = [await open(), await open('/echo/b?token=right')]
  const codes = Promise.all(clients.map(closeOf))
  await sockets.close()
  expect(closes).toEqual([1012, 1012])
  expect(await codes).toEqual([1012, 1012])
  expect(await readRefusal('/echo/a?token=right')).toMatchObject({ status: 503 })
})

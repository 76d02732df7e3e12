import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startFreezingProxy } from '../backup/testing.ts'
import { cloneDatabase } from '../testing/database.ts'
import { waitForDatabase } from './wait-for-database.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function listen(port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

/** Answers as PostgreSQL does while it starts: with an error of this code. */
const refuse = (code: string, message: string) => (socket: Socket) => {
  socket.on('error', () => {})
  socket.once('data', () => {
    const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    socket.end(Buffer.concat([Buffer.from('E'), length, body]))
  })
}

test('a start waits for PostgreSQL to accept connections, with a line for each reason', async () => {
  const database = await cloneDatabase()
  const { host, port, user, password, database: name } = database.connection
  const probe = await startFreezingProxy(`${host}/.s.PGSQL.${port}`)
  await probe.close()
  const url = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${probe.port}/${name}`
  const lines: string[] = []
  let starting: Server | undefined
  const say = async (line: string) => {
    lines.push(line)
    if (lines.length === 1) {
      starting = await listen(probe.port, refuse('57P03', 'the database system is starting up'))
    } else if (lines.length === 2) {
      await new Promise((resolve) => starting!.close(resolve))
      const ready = await startFreezingProxy(`${host}/.s.PGSQL.${port}`, probe.port)
      closers.push(ready.close)
    }
  }
  await waitForDatabase(url, { say: (line) => void say(line) })
  expect(lines.slice(0, 2)).toEqual([
    `Waiting for PostgreSQL at 127.0.0.1:${probe.port} (connection refused) …`,
    `Waiting for PostgreSQL at 127.0.0.1:${probe.port} (the database system is starting up) …`,
  ])
  expect(lines.join()).not.toContain(password)
  for (const close of closers.splice(0)) await close()
  await database.drop()
})

test('a start fails with advice when PostgreSQL stays away, and at once for wrong settings', async () => {
  const say = () => {}
  await expect(waitForDatabase('postgres://atrium@127.0.0.1:9/atrium', { say, limitMs: 0 })).rejects.toThrow(
    /^PostgreSQL at 127\.0\.0\.1:9 has accepted no connection .*\(connection refused\)\. Check/,
  )
  const server = await listen(0, refuse('28P01', 'password authentication failed for user "atrium"'))
  const { port } = server.address() as { port: number }
  await expect(waitForDatabase(`postgres://atrium@127.0.0.1:${port}/atrium`, { say })).rejects.toThrow(
    `PostgreSQL at 127.0.0.1:${port} refuses the connection: password authentication failed`,
  )
  server.close()
})

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../testing/database.ts'
import { CERTIFICATE, KEY } from '../../testing/fakes/untrusted-certificate.ts'
import { openDatabase, type Pool } from '../database.ts'
import { inTransaction } from '../transaction.ts'

const ONE = {
  connections: 1,
  connectionsPerOrg: 1,
  statementTimeoutMs: 0,
  idleTimeoutS: null,
  waitMs: 60_000,
}

let database: Awaited<ReturnType<typeof cloneDatabase>>
let control: Pool
beforeAll(async () => {
  database = await cloneDatabase('template0')
  control = openDatabase(database.connection, 'test control')
  await control`create table entries (name text)`
})
beforeEach(() => control`delete from entries`)
afterAll(async () => {
  await control.end()
  await database.drop()
})

/** A server in front of the database, whose connections can be reset. */
async function openProxy(accept: (client: Socket) => unknown, parameters = '') {
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client.on('error', () => {}).on('close', () => clients.delete(client)))
    accept(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { user, password, database: name } = database.connection
  const pool = openDatabase(
    `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}${parameters}`,
    'test proxy',
  )
  onTestFinished(() => pool.end({ timeout: 0 }))
  return { pool, reset: () => [...clients].map((client) => client.resetAndDestroy()) }
}

const namesOf = async () =>
  (await control<{ name: string }[]>`select name from entries`).map(({ name }) => name)

test.each(['waits for a statement', 'waits for something else'])(
  'a transaction whose connection is lost while it %s fails, and does not affect the next one',
  async (activity) => {
    const pool = openDatabase(database.connection, 'test lost', ONE)
    onTestFinished(() => pool.end())
    const [begun, proceed] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
    const codes: unknown[] = []
    const lost = inTransaction(pool, async (inside) => {
      const [row] = await inside<{ pid: number }[]>`select pg_backend_pid() as pid`
      await inside`insert into entries values ('lost')`
      begun.resolve(row!.pid)
      const waiting = activity === 'waits for a statement' ? inside`select pg_sleep(60)` : proceed.promise
      await waiting.catch(() => proceed.promise)
      await inside`insert into entries values ('after the loss')`.catch((error) => codes.push(error.code))
    })
    await control`select pg_terminate_backend(${await begun.promise})`
    await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    await inTransaction(pool, async (inside) => {
      await inside`insert into entries values ('next')`
      proceed.resolve()
      await expect.poll(() => codes).toEqual(['CONNECTION_CLOSED'])
      expect(await namesOf()).toEqual([])
    })
    expect(await namesOf()).toEqual(['next'])
  },
)

/** Accepts the request for TLS as PostgreSQL does. */
const acceptTls = async (client: Socket): Promise<Duplex> => {
  await once(client, 'data')
  client.write('S')
  return new TLSSocket(client, { isServer: true, cert: CERTIFICATE, key: KEY }).on('error', () => {})
}

test.each(['', '?sslmode=require'])(
  'a statement during the loss of its connection%s is executed or fails',
  async (mode) => {
    const { host, port } = database.connection
    const { pool, reset } = await openProxy(async (client) => {
      const content = mode === '' ? client : await acceptTls(client)
      const server = connect(`${host}/.s.PGSQL.${port}`).on('error', () => {})
      content.pipe(server).pipe(content)
      client.on('close', () => server.destroy())
    }, mode)
    const acknowledged: string[] = []
    const insert = async (name: string) => {
      const rows = await pool<{ name: string }[]>`insert into entries values (${name}) returning name`.catch(
        () => null,
      )
      if (rows) acknowledged.push(`${name} ${rows[0]?.name}`)
    }
    const inserts: Promise<void>[] = []
    for (let turn = 0; turn < 300; turn++) {
      if (turn % 60 === 30) reset()
      inserts.push(insert(`${turn}`))
      await nextTurn()
    }
    await Promise.all(inserts)
    const stored = new Set(await namesOf())
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(acknowledged.filter((line) => !stored.has(line.split(' ')[1]!))).toEqual([])
    expect(acknowledged.filter((line) => line.split(' ')[0] !== line.split(' ')[1])).toEqual([])
  },
)

test('a statement fails when a proxy closes its connection immediately, and is not sent again', async () => {
  let connections = 0
  const { pool } = await openProxy((client) => {
    connections++
    client.end()
  })
  await expect(pool`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(connections).toBe(1)
})

test('a certificate that is not trusted is refused with sslmode=verify-full', async () => {
  const { pool } = await openProxy(acceptTls, '?sslmode=verify-full')
  await expect(pool`select 1`).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
})

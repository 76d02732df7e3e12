import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { detached } from '../concurrency/work-scope.ts'
import { cloneDatabase } from '../testing/database.ts'
import { CERTIFICATE, KEY } from '../testing/fakes/untrusted-certificate.ts'
import { openDatabase, type Pool, SINGLE_USER } from './database.ts'
import { startEmbedded } from './embedded/embedded.ts'
import { embeddedFixtures, QUICK } from './embedded/testing.ts'
import { isConnectionLost } from './pg-errors.ts'
import { inTransaction } from './transaction.ts'

const ONE = { ...SINGLE_USER, connections: 1, connectionsPerOrg: 1 }

const fixtures = embeddedFixtures()
let database: Awaited<ReturnType<typeof cloneDatabase>>
let control: Pool
beforeAll(async () => {
  database = await cloneDatabase('template0')
  control = openDatabase(database.connection, 'test control')
  await createTable(control)
})
beforeEach(() => control`delete from entries`)
afterAll(async () => {
  await control.end()
  await database.drop()
})

const createTable = (sql: Pool) =>
  sql`create table entries (name text, bytes bytea, at timestamptz, data jsonb)`

const names = async (sql: Pool = control) =>
  (await sql<{ name: string }[]>`select name from entries`).map(({ name }) => name)

/** Statements of different shapes. Each result contains the number of its call, so that a foreign result is noticed. */
const KINDS: ((sql: Pool, n: number) => Promise<unknown>)[] = [
  async (sql, n) => (await sql`select ${n}::int as n`)[0]!.n,
  async (sql, n) =>
    Number((await sql`select 'text ' || ${String(n)} as text`)[0]!.text.slice('text '.length)),
  async (sql, n) => (await sql`select ${sql.json({ n })} as data, now() as at, true as flag`)[0]!.data.n,
  async (sql, n) => Number((await sql`select ${Buffer.from(`${n}`)} as bytes`)[0]!.bytes.toString()),
  async (sql, n) => (await sql`select i as n from generate_series(${n}::int, ${n + 40}) i`).at(-1)!.n - 40,
  async (sql, n) => (await sql`select ${[n, n + 1]}::bigint[] as list`)[0]!.list[0],
  async (sql, n) => Number((await sql.unsafe(`select ${n} as n`))[0]!.n),
  async (sql, n) =>
    Number(
      (
        await sql`
          insert into entries (name, bytes, at, data)
          values (${`n${n}`}, ${Buffer.from('b')}, ${new Date()}, ${sql.json({ n })}) returning name`
      )[0]!.name.slice(1),
    ),
  (sql, n) =>
    inTransaction(sql, async (inside) => {
      await inside`insert into entries (name) values (${`t${n}`})`
      const [row] = await inside<{ n: number }[]>`select ${n}::int as n`
      const { count } = await inside`update entries set name = ${`n${n}`} where name = ${`t${n}`}`
      return count === 1 ? row!.n : 'lost its own row'
    }),
]

interface Outcome {
  right: number[]
  wrong: unknown[]
  failed: unknown[]
}

/** Calls all kinds of statements from many callers at once, until `disturb` has ended. */
const ROUNDS_MAX = 200

async function callWhile(pool: Pool, disturb: (outcome: Outcome) => Promise<unknown>): Promise<Outcome> {
  const outcome: Outcome = { right: [], wrong: [], failed: [] }
  let isDisturbed = true
  let next = 0
  const call = async () => {
    while (isDisturbed) {
      const n = next++
      try {
        const result = await KINDS[n % KINDS.length]!(pool, n)
        if (result === n) outcome.right.push(n)
        else outcome.wrong.push([n, result])
      } catch (error) {
        outcome.failed.push(error)
        await sleep(1)
      }
    }
  }
  const callers = Array.from({ length: 24 }, call)
  await disturb(outcome).finally(() => {
    isDisturbed = false
  })
  await Promise.all(callers)
  return outcome
}

async function expectOwnResults(outcome: Outcome, sql = control) {
  expect(outcome.wrong).toEqual([])
  expect(outcome.failed.filter((error) => !isConnectionLost(error))).toEqual([])
  expect(outcome.right.length).toBeGreaterThan(KINDS.length)
  const stored = new Set(await names(sql))
  const writes = outcome.right.filter((n) => n % KINDS.length >= KINDS.length - 2)
  expect(writes.filter((n) => !stored.has(`n${n}`))).toEqual([])
}

describe('statements on a lost connection', () => {
  test('succeed with their own result or fail while backends are terminated', async () => {
    const pool = openDatabase(database.connection, 'test terminated')
    onTestFinished(() => pool.end())
    const outcome = await callWhile(pool, async () => {
      for (let round = 0; round < 40; round++) {
        await control`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'test terminated' order by random() limit 4`
        await sleep(50)
      }
    })
    await expectOwnResults(outcome)
    expect(outcome.failed).not.toEqual([])
  })

  test('succeed with their own result or fail while the server restarts', async () => {
    const folder = await fixtures.initializedFolder()
    let server = await startEmbedded(folder, QUICK)
    const pool = openDatabase(server.connection, 'test restarted')
    await createTable(pool)
    const outcome = await callWhile(pool, async () => {
      for (let round = 0; round < 3; round++) {
        await sleep(300)
        await server.stop()
        server = await startEmbedded(folder, QUICK)
      }
      await sleep(300)
    })
    await expectOwnResults(outcome, pool)
    await pool.end()
    await server.stop()
  })

  test.each(['', '?sslmode=require'])(
    'succeed with their own result or fail while a proxy resets connections%s',
    async (mode) => {
      const { host, port } = database.connection
      const { pool, reset } = await openProxy(async (client) => {
        const content = mode === '' ? client : await acceptTls(client)
        const server = connect(`${host}/.s.PGSQL.${port}`).on('error', () => {})
        content.pipe(server).pipe(content)
        client.on('close', () => server.destroy())
      }, mode)
      const outcome = await callWhile(pool, async ({ failed }) => {
        // On a busy machine, resets may meet only handshakes, which take longer with TLS.
        for (let round = 0; round < 20 || (failed.length === 0 && round < ROUNDS_MAX); round++) {
          await sleep(mode === '' ? 50 : 250)
          reset()
        }
      })
      await expectOwnResults(outcome)
      expect(outcome.failed).not.toEqual([])
    },
  )
})

describe('a connection that falls silent', () => {
  /** Like a firewall that forgot the connection: nothing passes, and nothing is closed. */
  async function openForgetful() {
    const { host, port } = database.connection
    let isSilent = false
    const { pool } = await openProxy(
      (client) => {
        const isFrozen = () => isSilent
        const server = connect(`${host}/.s.PGSQL.${port}`).on('error', () => {})
        const silentFrom = isSilent ? () => false : isFrozen
        client.on('data', (bytes) => silentFrom() || server.write(bytes))
        server.on('data', (bytes) => silentFrom() || client.write(bytes))
        client.on('close', () => server.destroy())
      },
      '',
      { ...ONE, silence: { lookAfterMs: 200, graceMs: 200 } },
    )
    function fallSilent() {
      isSilent = true
    }
    return { pool, fallSilent }
  }

  test('fails its statement, and one that takes long does not', async () => {
    const { pool, fallSilent } = await openForgetful()
    expect(await pool`select pg_sleep(1.5)`).toHaveLength(1)
    fallSilent()
    await expect(pool`select 1 as one`).rejects.toThrow(/closed|lost|ended/)
    expect(await pool`select 1 as one`).toEqual([{ one: 1 }])
  })

  test('fails its cursor, and one whose batch or reader takes long does not', async () => {
    const { pool, fallSilent } = await openForgetful()
    const read = (query: string, afterBatch: () => unknown) =>
      inTransaction(pool, async (inside) => {
        const batches: number[] = []
        for await (const rows of inside.unsafe(query).cursor(2)) {
          batches.push(rows.length)
          await afterBatch()
        }
        return batches
      })
    const slowRows = 'select pg_sleep(case when n = 3 then 1 else 0 end) from generate_series(1, 5) n'
    expect(await read(slowRows, () => sleep(300))).toEqual([2, 2, 1])
    await expect(read('select from generate_series(1, 5)', fallSilent)).rejects.toThrow(/closed|lost|ended/)
    expect(await pool`select 1 as one`).toEqual([{ one: 1 }])
  })
})

/** A server in front of the database, whose connections can be reset. */
async function openProxy(
  accept: (client: Socket) => unknown,
  parameters = '',
  settings?: Parameters<typeof openDatabase>[2],
) {
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
    settings,
  )
  onTestFinished(() => pool.end({ timeout: 0 }))
  return { pool, reset: () => [...clients].map((client) => client.resetAndDestroy()) }
}

/** Accepts the request for TLS as PostgreSQL does. */
const acceptTls = async (client: Socket): Promise<Duplex> => {
  await once(client, 'data')
  client.write('S')
  return new TLSSocket(client, { isServer: true, cert: CERTIFICATE, key: KEY }).on('error', () => {})
}

test.each(['waits for a statement', 'waits for something else'])(
  "a transaction whose connection is lost while it %s fails, and doesn't affect the next one",
  async (activity) => {
    const pool = openDatabase(database.connection, 'test lost', ONE)
    onTestFinished(() => pool.end())
    const [begun, proceed] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
    const refused: unknown[] = []
    const lost = inTransaction(pool, async (inside) => {
      const [row] = await inside<{ pid: number }[]>`select pg_backend_pid() as pid`
      await inside`insert into entries values ('lost')`
      begun.resolve(row!.pid)
      const waiting = activity === 'waits for a statement' ? inside`select pg_sleep(60)` : proceed.promise
      await waiting.catch(() => proceed.promise)
      await inside`insert into entries values ('after the loss')`.catch((error) => refused.push(error))
    })
    const lossError = lost.catch((error) => error)
    await control`select pg_terminate_backend(${await begun.promise})`
    expect(await lossError).toSatisfy(isConnectionLost)
    await inTransaction(pool, async (inside) => {
      await inside`insert into entries values ('next')`
      proceed.resolve()
      await expect.poll(() => refused).toHaveLength(1)
      expect(await detached(() => names())).toEqual([])
    })
    expect(await names()).toEqual(['next'])
  },
)

test('a transaction begins again on another connection if the first was lost before it began', async () => {
  const pool = openDatabase(database.connection, 'test begin', ONE)
  onTestFinished(() => pool.end())
  for (let round = 0; round < 20; round++) {
    const [row] = await pool<{ pid: number }[]>`select pg_backend_pid() as pid`
    await control`select pg_terminate_backend(${row!.pid})`
    expect(await inTransaction(pool, (inside) => inside`select ${round}::int as round`)).toEqual([{ round }])
  }
})

test('a transaction fails if one statement failed, even if its caller caught the error', async () => {
  const work = inTransaction(control, async (inside) => {
    await inside`insert into entries values ('refused')`
    await inside`select 1 / 0`.catch(() => {})
  })
  await expect(work).rejects.toMatchObject({ code: '22012' })
  expect(await names()).toEqual([])
})

test('a statement is prepared again after a migration changes its columns', async () => {
  await control`create table changing (a int)`
  const read = () => control`select * from changing`
  await control`insert into changing values (1)`
  expect(await read()).toEqual([{ a: 1 }])
  await control`alter table changing add b text default 'new'`
  expect(await read()).toEqual([{ a: 1, b: 'new' }])
  await control`drop table changing`
})

test('a statement fails quickly when a proxy closes every connection immediately', async () => {
  let connections = 0
  const { pool } = await openProxy((client) => {
    connections++
    client.end()
  })
  await expect(pool`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  const attempts = connections
  await expect(pool`select 1`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(connections).toBe(attempts + 1)
})

test('a subscriber learns about an interruption, and receives later messages', async () => {
  const pool = openDatabase(database.connection, 'test listener')
  onTestFinished(() => pool.end())
  const received: string[] = []
  let starts = 0
  await pool.listen(
    'news',
    (payload) => received.push(payload),
    () => starts++,
  )
  await pool.listen('other', () => {})
  for (let round = 1; round <= 3; round++) {
    await control`select pg_notify('news', ${`${round}`})`
    await expect.poll(() => received.at(-1)).toBe(`${round}`)
    await control`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test listener'`
    await expect.poll(() => starts).toBe(round + 1)
  }
})

test('an untrusted certificate is refused with sslmode=verify-full', async () => {
  const { pool } = await openProxy(acceptTls, '?sslmode=verify-full')
  await expect(pool`select 1`).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
})

test('a server without TLS is used with sslmode=prefer, and refused with sslmode=require', async () => {
  const { host, port } = database.connection
  const accept = (client: Socket) => {
    client.once('data', (first: Buffer) => {
      if (first.readUInt32BE(4) === 80_877_103) return client.write('N')
      const server = connect(`${host}/.s.PGSQL.${port}`).on('error', () => {})
      server.write(first)
      client.pipe(server).pipe(client)
    })
  }
  expect(await (await openProxy(accept, '?sslmode=prefer')).pool`select 1 as one`).toEqual([{ one: 1 }])
  const required = (await openProxy(accept, '?sslmode=require')).pool
  await expect(required`select 1`).rejects.toMatchObject({ code: 'TLS_UNAVAILABLE' })
})

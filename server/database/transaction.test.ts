import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { openClient, type SentStatement, statementChannel } from './client.ts'
import { openDatabase, type Pool, SINGLE_USER, type Sql } from './database.ts'
import { createFairPool, forOrganization } from './fair-pool.ts'
import { ConnectionError } from './pg-errors.ts'
import { flushNotifications, inTransaction, notify } from './transaction.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
let subscriber: Pool
/** Has one connection. */
let one: Pool
let received: string[]
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
  subscriber = openDatabase(database.connection, 'test subscriber')
  one = openDatabase(database.connection, 'test one', { ...SINGLE_USER, connections: 1 })
  await sql`create table entries (name text)`
  await subscriber.listen('news', (payload) => received.push(payload))
})
beforeEach(async () => {
  received = []
  await sql`delete from entries`
})
afterAll(async () => {
  await Promise.all([sql.end(), subscriber.end(), one.end()])
  await database.drop()
})

let ends = 0

/** Resolves when all earlier notifications have been received: those since the last call. */
async function waitForNotifications(): Promise<string[]> {
  await flushNotifications(sql)
  const end = `end ${++ends}`
  await sql`select pg_notify('news', ${end})`
  await expect.poll(() => received.at(-1)).toBe(end)
  return received.splice(0).slice(0, -1)
}

describe('inTransaction', () => {
  test('commits everything or nothing, and joins an outer transaction', async () => {
    const failing = inTransaction(sql, async (outer) => {
      await outer`insert into entries values ('outer')`
      await inTransaction(outer, (inner) => inner`insert into entries values ('inner')`)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await sql`select from entries`).toHaveLength(0)
  })
})

describe('notify', () => {
  test('sends after the commit, when others can see the change', async () => {
    const [release, inserted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const committed = inTransaction(sql, async (inside) => {
      await inside`insert into entries values ('one')`
      notify(inside, 'news', 'one')
      inserted.resolve()
      await release.promise
    })
    await inserted.promise
    expect(await waitForNotifications()).toEqual([])
    release.resolve()
    await committed
    expect(await sql`select name from entries`).toEqual([{ name: 'one' }])
    expect(await waitForNotifications()).toEqual(['one'])
  })

  test('sends nothing when the transaction is rolled back', async () => {
    const failing = inTransaction(sql, async (inside) => {
      notify(inside, 'news', 'outer')
      await inTransaction(inside, async (inner) => notify(inner, 'news', 'inner'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await waitForNotifications()).toEqual([])
  })

  test('sends nothing when the commit fails', async () => {
    await sql`create table checked (id int unique deferrable initially deferred)`
    const failing = inTransaction(sql, async (inside) => {
      await inside`insert into checked values (1), (1)`
      notify(inside, 'news', 'refused')
    })
    await expect(failing).rejects.toThrow('duplicate key')
    expect(await waitForNotifications()).toEqual([])
  })

  test('sends in order without a transaction, and equal messages in a batch once', async () => {
    for (const payload of ['first', 'a', 'b', 'a']) notify(sql, 'news', payload)
    expect(await waitForNotifications()).toEqual(['first', 'b', 'a'])
  })

  test('sends every notification from many concurrent transactions', async () => {
    const payloads = Array.from({ length: 200 }, (_, n) => `message ${n}`)
    await Promise.all(
      payloads.map((payload) =>
        inTransaction(sql, async (inside) => {
          await inside`insert into entries values (${payload})`
          notify(inside, 'news', payload)
        }),
      ),
    )
    expect((await waitForNotifications()).toSorted()).toEqual(payloads.toSorted())
  })

  test("refuses a transaction that inTransaction didn't begin", async () => {
    await expect(sql.begin(async (inside) => notify(inside, 'news', 'x'))).rejects.toThrow('inTransaction')
  })
})

describe('a transaction', () => {
  const REFUSED = 'A transaction must not wait for one of the requests'

  test.each([
    ['a statement', async (pool: Pool) => void (await pool`select 1`)],
    ['a statement as text', async (pool: Pool) => void (await pool.unsafe('select 1'))],
    ['a transaction', (pool: Pool) => inTransaction(pool, async () => {})],
    ['a reserved connection', async (pool: Pool) => (await pool.reserve()).release()],
  ])("can't wait for %s from a pool, and rolls back", async (_, use) => {
    for (const pool of [sql, subscriber, forOrganization(sql, 'an organization')]) {
      const work = inTransaction(sql, async (inside) => {
        await inside`insert into entries values ('lost')`
        await use(pool).catch(() => {})
      })
      await expect(work).rejects.toThrow(REFUSED)
    }
    expect(await sql`select from entries`).toHaveLength(0)
  })

  test("uses a pool's fragments, its own connection, and the pool once it has ended", async () => {
    await inTransaction(sql, async (inside) => {
      await inTransaction(inside, (joined) => joined`insert into entries select ${sql`'kept'`}`)
    })
    expect(await sql`select name from entries`).toEqual([{ name: 'kept' }])
  })

  test('begins with its first statement, sends concurrent statements together, and opens none without a statement', async () => {
    await sql`select 1`
    const sent: string[][] = []
    const onStatement = (message: unknown) => {
      const { session, text } = message as SentStatement
      if (session === 'test') sent.at(-1)!.push(text)
    }
    statementChannel.subscribe(onStatement)
    onTestFinished(() => {
      statementChannel.unsubscribe(onStatement)
    })
    sent.push([])
    expect(await inTransaction(sql, async () => 'nothing')).toBe('nothing')
    expect(sent).toEqual([[]])
    await inTransaction(sql, async (inside) => {
      const insert = async (name: string) => {
        await Promise.resolve()
        await inside`insert into entries values (${name})`
      }
      const inserted = Promise.all([insert('a'), insert('b')])
      setImmediate(() => sent.push([]))
      await inserted
      await inside`insert into entries values ('c')`
    })
    expect(sent[0]!.slice(0, 3)).toEqual([
      'begin',
      'insert into entries values ($1)',
      'insert into entries values ($1)',
    ])
    expect(sent.flat().at(-1)).toBe('commit')
    expect(await sql`select name from entries order by name`).toEqual([
      { name: 'a' },
      { name: 'b' },
      { name: 'c' },
    ])
  })

  test('gives earlier results of concurrent statements, and to later ones the error of the first that failed', async () => {
    let results: PromiseSettledResult<unknown>[] = []
    const failing = inTransaction(sql, async (inside) => {
      results = await Promise.allSettled([
        inside`select 'before' as name`,
        inside`select 1 / 0`,
        inside`insert into entries values ('after')`,
      ])
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(results[0]).toMatchObject({ status: 'fulfilled', value: [{ name: 'before' }] })
    expect(results.slice(1)).toMatchObject([
      { status: 'rejected', reason: { message: 'division by zero' } },
      { status: 'rejected', reason: { message: 'division by zero' } },
    ])
    expect(await sql`select from entries`).toHaveLength(0)
  })

  test('commits with a last statement that nobody waits for, and fails if that fails', async () => {
    await inTransaction(sql, async (inside) => void inside`insert into entries values ('kept')`.execute())
    expect(await sql`select name from entries`).toEqual([{ name: 'kept' }])
    const failing = inTransaction(sql, async (inside) => void inside`select 1 / 0`.execute())
    await expect(failing).rejects.toThrow('division by zero')
  })

  test('stores nothing and fails if it could not begin, also if the caller ignores that', async () => {
    let opened = 0
    const pool = createFairPool({
      connections: 1,
      connectionsPerOrg: 1,
      idleTimeoutS: null,
      waitMs: 1000,
      open: async () => {
        opened++
        if (opened === 2) throw new ConnectionError('UNREACHABLE', 'The database is away')
        const settings = { name: 'test', statementTimeoutMs: 0, idleInTransactionMs: 0 }
        const client = await openClient(database.connection, settings)
        if (opened === 1) client.close()
        return client
      },
    })
    onTestFinished(() => pool.end())
    const work = inTransaction(pool, async (inside) => {
      await inside`insert into entries values ('first')`.catch(() => {})
      await inside`insert into entries values ('second')`.catch(() => {})
    })
    await expect(work).rejects.toThrow('The database is away')
    expect(await sql`select from entries`).toHaveLength(0)
    opened = 0
    const ignored = inTransaction(pool, async (inside) => {
      await inside`insert into entries values ('only')`.catch(() => {})
    })
    await expect(ignored).rejects.toThrow('The database is away')
    expect(await sql`select from entries`).toHaveLength(0)
  })

  test('prepares a statement again whose first preparation failed, also together with others', async () => {
    const insert = (pool: Sql, name: string) => pool`insert into later values (${name})`
    const both = () =>
      inTransaction(one, async (inside) => {
        await Promise.all([inside`select 1`, insert(inside, 'a'), insert(inside, 'b')])
      })
    await expect(both()).rejects.toThrow('does not exist')
    await sql`create table later (name text check (name <> 'bad'))`
    await both()
    await expect(insert(one, 'bad')).rejects.toThrow('check')
    await both()
    expect(await sql`select from later`).toHaveLength(4)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { openDatabase, type Pool } from './database.ts'
import { forOrganization } from './fair-pool.ts'
import { flushNotifications, inTransaction, notify } from './transaction.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
let subscriber: Pool
let received: string[]
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
  subscriber = openDatabase(database.connection, 'test subscriber')
  await sql`create table entries (name text)`
  await subscriber.listen('news', (payload) => received.push(payload))
})
beforeEach(async () => {
  received = []
  await sql`delete from entries`
})
afterAll(async () => {
  await Promise.all([sql.end(), subscriber.end()])
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
})

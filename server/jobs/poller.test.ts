import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Pool } from '../database/database.ts'
import { cloneDatabase } from '../testing/database.ts'
import { type Poller, type Polling, startPoller } from './poller.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let pool: Pool
let poller: Poller | undefined
let polls = 0

const LOOK_MS = 50
beforeAll(async () => {
  database = await cloneDatabase('template0')
  pool = openDatabase(database.connection, 'test')
  await pool`create table items (id int)`
})
afterEach(() => poller?.stop())
afterAll(async () => {
  await pool.end()
  await database.drop()
})

async function start(options: Partial<Polling> = {}) {
  polls = 0
  const polling: Polling = {
    name: 'items',
    pool,
    log: pino({ level: 'silent' }),
    pollMs: 20,
    channel: 'items',
    waiting: (sql) => sql`select true from items limit 1`,
    poll: async () => {
      polls++
      return false
    },
    ...options,
  }
  poller = await startPoller(polling, LOOK_MS)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Polls that begin within 200 ms. */
const pollsInAWhile = async () => {
  const before = polls
  await pause(200)
  return polls - before
}

test('stops polling without work, and continues when a row is found', async () => {
  await start()
  await expect.poll(() => polls).toBeGreaterThan(0)
  await pause(150)
  expect(await pollsInAWhile()).toBe(0)
  await pool`insert into items values (1)`
  await expect.poll(pollsInAWhile).toBeGreaterThan(3)
  await pool`delete from items`
  await expect.poll(pollsInAWhile).toBe(0)
})

test('polls at once when notified, and again for remaining work', async () => {
  let left = 0
  await start({
    pollMs: 3_600_000,
    poll: async () => {
      polls++
      return left-- > 0
    },
  })
  await expect.poll(() => polls).toBe(1)
  left = 2
  await pool`select pg_notify('items', '')`
  await expect.poll(() => polls).toBe(4)
})

test('pauses longer after each failure', async () => {
  const times: number[] = []
  await start({
    waiting: (sql) => sql`select true`,
    poll: async () => {
      times.push(performance.now())
      throw new Error('no database')
    },
  })
  await expect.poll(() => times.length, { timeout: 5000 }).toBeGreaterThan(4)
  const pauses = times.slice(1).map((time, n) => time - times[n]!)
  expect(pauses[3]).toBeGreaterThan(2 * pauses[0]!)
})

test('waits for a poll in progress when it stops', async () => {
  const ending = Promise.withResolvers<boolean>()
  let isDone = false
  await start({
    poll: async () => {
      polls++
      await ending.promise
      isDone = true
      return true
    },
  })
  await expect.poll(() => polls).toBe(1)
  const stopped = poller!.stop()
  ending.resolve(true)
  await stopped
  expect([isDone, await pollsInAWhile()]).toEqual([true, 0])
})

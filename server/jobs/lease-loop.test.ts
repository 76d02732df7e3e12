import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Pool } from '../database/database.ts'
import { fixedClock } from '../processes/database-clock.ts'
import { cloneDatabase } from '../testing/database.ts'
import { type ClaimRequest, type LeaseLoop, type Slot, startLeaseLoop } from './lease-loop.ts'

interface Item {
  id: number
  key: string
}

const NEVER_MS = 3_600_000
let database: Awaited<ReturnType<typeof cloneDatabase>>
let pool: Pool
let due: Item[]
let claims: ClaimRequest[]
let started: Map<number, PromiseWithResolvers<void>>
let loop: Awaited<ReturnType<typeof startLeaseLoop>> | undefined
beforeAll(async () => {
  database = await cloneDatabase('template0')
  pool = openDatabase(database.connection, 'test')
})
beforeEach(() => {
  due = []
  claims = []
  started = new Map()
})
afterEach(async () => {
  for (const { resolve } of started.values()) resolve()
  await loop?.stop()
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Items run until the test ends them. */
async function start(options: Partial<LeaseLoop<Item>> = {}) {
  loop = await startLeaseLoop<Item>({
    name: 'items',
    pool,
    log: pino({ level: 'silent' }),
    clock: fixedClock(() => new Date()),
    suspensions: null,
    channel: 'items',
    pollMs: NEVER_MS,
    concurrency: 3,
    claimMax: 2,
    keyOf: ({ key }) => key,
    claim: async (request) => {
      claims.push(request)
      return due.splice(0, request.limit)
    },
    run: ({ id }) => {
      started.set(id, Promise.withResolvers())
      return started.get(id)!.promise
    },
    ...options,
  })
}

const add = (...ids: number[]) => due.push(...ids.map((id) => ({ id, key: id % 2 ? 'odd' : 'even' })))
const wake = () => pool`select pg_notify('items', '')`
const startedIds = () => [...started.keys()]

describe('startLeaseLoop', () => {
  test('claims in batches until the concurrency is reached, and again when a run ends', async () => {
    add(1, 2, 3, 4, 5)
    await start()
    await expect.poll(startedIds).toEqual([1, 2, 3])
    started.get(2)!.resolve()
    await expect.poll(startedIds).toEqual([1, 2, 3, 4])
    expect(claims.map(({ limit }) => limit)).toEqual([2, 1, 1])
  })

  test("passes each key's running item count to the claim", async () => {
    add(1, 3, 2)
    await start({ concurrency: 4 })
    await expect.poll(startedIds).toEqual([1, 3, 2])
    const counts = claims.map(({ running }) => [...running])
    expect(counts.slice(0, 2)).toEqual([[], [['odd', 2]]])
  })

  test('bulk items count on their own, and continue only while others have places', async () => {
    const slots = new Map<number, Slot>()
    add(1, 3, 5)
    await start({
      concurrency: 9,
      perKey: 9,
      bulk: { is: ({ id }) => id < 5, perKey: 2 },
      run: ({ id }, slot) => {
        slots.set(id, slot)
        started.set(id, Promise.withResolvers())
        return started.get(id)!.promise
      },
    })
    await expect.poll(startedIds).toEqual([1, 3, 5])
    expect(claims.map(({ running, runningBulk }) => [running.get('odd'), runningBulk.get('odd')])).toEqual([
      [undefined, undefined],
      [2, 2],
      [3, 2],
    ])
    const mayContinue = (id: number) => slots.get(id)!.mayContinue()
    expect([1, 3, 5].map(mayContinue)).toEqual([false, false, true])
    started.get(1)!.resolve()
    await expect.poll(() => mayContinue(3)).toBe(true)
  })

  test('claims when notified', async () => {
    await start()
    add(1)
    await wake()
    await expect.poll(startedIds).toEqual([1])
  })

  test('claims at every poll, without a notification', async () => {
    await start({ pollMs: 20 })
    add(1)
    await expect.poll(startedIds).toEqual([1])
  })

  test('claims again after a failed claim', async () => {
    let failures = 0
    await start({
      claim: async ({ limit }) => {
        if (failures++ < 1) throw new Error('no database')
        return due.splice(0, limit)
      },
    })
    add(1)
    await wake()
    await expect.poll(startedIds).toEqual([1])
  })

  test("releases a failed run's lease and continues with others", async () => {
    const released: number[] = []
    add(1, 2)
    await start({
      concurrency: 1,
      release: async ({ id }) => {
        released.push(id)
      },
    })
    await expect.poll(startedIds).toEqual([1])
    started.get(1)!.reject(new Error('no'))
    await expect.poll(startedIds).toEqual([1, 2])
    expect(released).toEqual([1])
  })

  test('lets an item continue while total and key capacity last, but not once it stops', async () => {
    const slots = new Map<number, Slot>()
    add(1)
    await start({
      perKey: 2,
      run: ({ id }, slot) => {
        slots.set(id, slot)
        started.set(id, Promise.withResolvers())
        return started.get(id)!.promise
      },
    })
    const mayContinue = () => [...slots.values()].map((slot) => slot.mayContinue())
    await expect.poll(startedIds).toEqual([1])
    expect(mayContinue()).toEqual([true])
    add(2)
    await wake()
    await expect.poll(startedIds).toEqual([1, 2])
    expect(mayContinue()).toEqual([true, true])
    add(3)
    await wake()
    await expect.poll(startedIds).toEqual([1, 2, 3])
    // The whole capacity is taken.
    expect(mayContinue()).toEqual([false, false, false])
    started.get(2)!.resolve()
    // The whole capacity of odd items is taken.
    await expect.poll(() => slots.get(2)!.mayContinue()).toBe(true)
    expect(slots.get(1)!.mayContinue()).toBe(false)
    started.get(3)!.resolve()
    await expect.poll(() => slots.get(1)!.mayContinue()).toBe(true)
    const stopped = loop!.stop()
    expect(slots.get(1)!.mayContinue()).toBe(false)
    started.get(1)!.resolve()
    await stopped
  })

  test('finishes running items when stopped and claims no more', async () => {
    add(1)
    await start()
    await expect.poll(startedIds).toEqual([1])
    let isStopped = false
    const stopped = loop!.stop().then(() => {
      isStopped = true
    })
    add(2)
    await wake()
    expect(isStopped).toBe(false)
    started.get(1)!.resolve()
    await stopped
    expect(startedIds()).toEqual([1])
    loop = undefined
  })
})

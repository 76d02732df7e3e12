import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../security/ids.ts'
import { cloneDatabase } from '../testing/database.ts'
import { openDatabase, type Pool } from './database.ts'
import { resetBucket, takeToken } from './limits.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

const LIMIT = { name: 'test', capacity: 3, perSeconds: 30 }
const START = Date.parse('2026-01-01T00:00:00.000Z')

/** A new bucket; times are in seconds. */
function createBucket() {
  const subject = newId()
  const at = (seconds: number) => new Date(START + seconds * 1000)
  return {
    take: (seconds: number) => takeToken(sql, LIMIT, subject, at(seconds)),
    reset: () => resetBucket(sql, LIMIT, subject),
  }
}

describe('a bucket holding three tokens, refilled in thirty seconds', () => {
  test('allows three calls immediately and returns when the next is allowed', async () => {
    const { take } = createBucket()
    expect(await take(0)).toEqual({ allowed: true, remaining: 2, resetSeconds: 10, retrySeconds: 1 })
    expect(await take(0)).toMatchObject({ allowed: true, remaining: 1, resetSeconds: 20 })
    expect(await take(0)).toMatchObject({ allowed: true, remaining: 0, resetSeconds: 30 })
    expect(await take(0)).toEqual({ allowed: false, remaining: 0, resetSeconds: 30, retrySeconds: 10 })
    expect(await take(4)).toMatchObject({ allowed: false, retrySeconds: 6 })
    expect(await take(10)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await take(10)).toMatchObject({ allowed: false })
  })

  test("never holds more than three tokens, however long it's unused", async () => {
    const { take } = createBucket()
    await take(0)
    const later = [await take(86_400), await take(86_400), await take(86_400), await take(86_400)]
    expect(later.map(({ allowed }) => allowed)).toEqual([true, true, true, false])
  })

  test('allows three concurrent calls, however many arrive', async () => {
    const { take } = createBucket()
    const takes = await Promise.all(Array.from({ length: 20 }, () => take(0)))
    expect(takes.filter(({ allowed }) => allowed)).toHaveLength(3)
  })

  test('gains no tokens from a process whose clock is behind', async () => {
    const { take } = createBucket()
    for (const seconds of [100, 100, 100]) await take(seconds)
    expect(await take(0)).toMatchObject({ allowed: false })
    expect(await take(100)).toMatchObject({ allowed: false })
  })

  test('is full after a reset', async () => {
    const { take, reset } = createBucket()
    for (const seconds of [0, 0, 0]) await take(seconds)
    await reset()
    expect(await take(0)).toMatchObject({ allowed: true, remaining: 2 })
  })

  test('allows at most its capacity plus the refilled tokens, whenever it is called', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(25), { minLength: 1, maxLength: 20 }), async (pauses) => {
        const { take } = createBucket()
        let seconds = 0
        let allowedCount = 0
        for (const pause of pauses) {
          seconds += pause
          const { allowed, retrySeconds } = await take(seconds)
          if (allowed) allowedCount++
          else {
            seconds += retrySeconds
            expect(await take(seconds)).toMatchObject({ allowed: true })
            allowedCount++
          }
        }
        expect(allowedCount).toBeLessThanOrEqual(
          LIMIT.capacity + (seconds * LIMIT.capacity) / LIMIT.perSeconds,
        )
      }),
      { numRuns: 25 },
    )
  })
})

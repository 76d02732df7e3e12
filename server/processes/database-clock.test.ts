import pino from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Pool } from '../database/database.ts'
import { LOOPBACK_ALLOWED } from '../testing/clients/webhook-app.ts'
import { cloneDatabase } from '../testing/database.ts'
import { startReceiver } from '../testing/fakes/receiver.ts'
import { captureLog } from '../testing/log.ts'
import { buildTestApp } from '../testing/test-app.ts'
import { startDatabaseClock } from './database-clock.ts'

const AHEAD_MS = 60_000
const MEASURE_MS = 100

describe('startDatabaseClock', () => {
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

  async function start(systemTime: () => number) {
    const log = pino({ level: 'silent' })
    const clock = await startDatabaseClock({ sql, log, systemTime, measureMs: MEASURE_MS })
    onTestFinished(clock.stop)
    return clock
  }

  test.each([AHEAD_MS, -AHEAD_MS])('tells the database time on a machine off by %d ms', async (off) => {
    const { now, offsetMs, isRight } = await start(() => Date.now() + off)
    // The database is on this machine.
    expect(Math.abs(now().getTime() - Date.now())).toBeLessThan(CLOSE_MS)
    expect(Math.abs(offsetMs() - off)).toBeLessThan(CLOSE_MS)
    expect(isRight()).toBe(false)
  })

  /** A database whose first answer is slow, or an error. */
  const afterFirst = (first: (sql: Pool) => Promise<unknown>) => {
    let count = 0
    return ((...args: Parameters<Pool>) => (count++ === 0 ? first(sql) : sql(...args))) as unknown as Pool
  }
  const slowly = (pool: Pool) =>
    pool`select extract(epoch from clock_timestamp())::float8 * 1000 as ms from pg_sleep(1.2)`
  const never = () => Promise.reject(new Error('The database restarts'))

  test.each([
    ['is slow', slowly],
    ['is an error', never],
  ])('is not right on a machine that is ahead, although the first answer %s', async (_, first) => {
    const log = pino({ level: 'silent' })
    const systemTime = () => Date.now() + AHEAD_MS
    const clock = await startDatabaseClock({ sql: afterFirst(first), log, systemTime, measureMs: 60_000 })
    onTestFinished(clock.stop)
    expect(clock.isRight()).toBe(false)
  })

  test('becomes right, and says so, with the first answer after an error', async () => {
    const log = pino({ level: 'silent' })
    const clock = await startDatabaseClock({ sql: afterFirst(never), log, measureMs: MEASURE_MS })
    onTestFinished(clock.stop)
    const changes: boolean[] = []
    clock.onChange((right) => changes.push(right))
    expect(clock.isRight()).toBe(false)
    await expect.poll(() => changes).toEqual([true])
    expect(clock.isRight()).toBe(true)
  })

  test('is right up to a 5 s offset', async () => {
    const { isRight } = await start(() => Date.now() + 3000)
    expect(isRight()).toBe(true)
  })

  test('reports at once that the clock was set, keeps its time, and reports when it is right again', async () => {
    let off = 0
    const { now, isRight, onChange } = await start(() => Date.now() + off)
    const changes: boolean[] = []
    onChange((right) => changes.push(right))
    off = AHEAD_MS
    expect(isRight()).toBe(false)
    expect(Math.abs(now().getTime() - Date.now())).toBeLessThan(CLOSE_MS)
    off = 0
    await expect.poll(() => changes).toEqual([false, true])
  })
})

/** Far above a round trip, far below the offset. */
const CLOSE_MS = 20_000

test('a worker with a clock 60 s ahead claims nothing, says so, and continues once it is right', async () => {
  let off = AHEAD_MS
  const log = captureLog()
  const app = await buildTestApp({
    env: { ...LOOPBACK_ALLOWED, ATRIUM_ROLE: 'worker', ATRIUM_HEALTH_PORT: '0' },
    log: log.stream,
    app: { now: undefined, systemTime: () => Date.now() + off, measureClockMs: MEASURE_MS },
  })
  onTestFinished(() => app.close())
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  await app.app.startWorker()
  await app.app.observability.startHeartbeat()
  const url = (await app.app.listenForHealth())!
  const readyz = async () => {
    const response = await fetch(`${url}/readyz`)
    return [response.status, ((await response.json()) as { parts: { clock: string } }).parts.clock]
  }
  const org = await app.organization()
  const owner = await app.withSession(await app.person(org, { role: 'owner' }))
  await owner.webhooks.create({ name: 'Hook', url: receiver.url, events: ['key.*'] })
  await owner.apiKeys.create({ name: 'Key' })
  // Due for hours, also by a clock that is right.
  await app.sql`update deliveries set next_attempt_at = now() - interval '3 hours'`

  expect(await readyz()).toEqual([503, 'wrong'])
  expect(log.lines.join('')).toContain('this process runs no jobs until its machine is synchronized')
  const { client: operator } = await app.operator()
  const { problems, processes } = await operator.operations.health()
  expect(problems).toContainEqual({
    level: 'critical',
    code: 'clock_wrong',
    message: expect.stringContaining('ahead of the database clock, so it runs no jobs'),
  })
  expect(Math.round(processes[0]!.clockOffsetMs / 10_000)).toBe(6)
  await app.sql`select pg_notify('atrium_deliveries', '')`
  await new Promise((resolve) => setTimeout(resolve, 20 * MEASURE_MS))
  expect(receiver.requests).toEqual([])
  const [lanes] = await app.sql`select worker_ids from job_processes`
  expect(lanes!.worker_ids).toEqual([])

  off = 0
  await expect.poll(() => receiver.requests.length).toBe(1)
  expect(await readyz()).toEqual([200, 'ready'])
  await expect
    .poll(async () => (await app.sql`select worker_ids from job_processes`)[0]!.worker_ids)
    .not.toEqual([])
})

import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { Connection } from '../database/connection.ts'
import { openDatabase } from '../database/database.ts'
import { fixedClock } from '../processes/database-clock.ts'
import { NO_SUSPENSIONS } from '../testing/fakes/suspensions.ts'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import { type Job, LANES, type Lane } from './job.ts'
import { type JobHandler, onJob } from './job-handler.ts'
import { startWorker } from './worker.ts'

let app: TestApp
let operator: Awaited<ReturnType<TestApp['operator']>>['client']
beforeAll(async () => {
  app = await buildTestApp()
  operator = (await app.operator()).client
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from graphile_worker._private_jobs`)

/** Not declared with `job`: the app would then need a handler for it. */
const count: Job<{ n: number }> = { name: 'test.count', payload: z.object({ n: z.number() }) }

const enqueue = (n: number) => app.app.system().enqueue(count, { n })

const work = (run: (n: number) => Promise<void>) => start([onJob(count, (_, { n }) => run(n))])

async function start(handlers: JobHandler[]) {
  const worker = await startWorker({
    connection: app.connection,
    pool: app.sql,
    context: app.app.system,
    clock: fixedClock(() => new Date()),
    handlers,
    schedules: [],
    suspensions: NO_SUSPENSIONS,
    log: pino({ level: 'silent' }),
  })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= worker.stop())
  onTestFinished(stop)
  return stop
}

/** The job queue as an operator sees it. */
const jobs = async () => (await operator.operations.jobs()).items
const eventually = <T>(read: () => Promise<T> | T) => expect.poll(read)

const failing = async () => {
  throw new Error('the printer is on fire')
}

/** Makes the next attempt the last one, and due now. */
const makeLastAttempt = () => app.sql`
  update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now()`

async function insertDeadJob() {
  await enqueue(1)
  await app.sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'gave up'`
  return (await jobs())[0]!
}

describe('job', () => {
  test('commits and rolls back with the transaction that enqueues it', async () => {
    const undone = app.app.system().transaction(async (inside) => {
      await inside.enqueue(count, { n: 1 })
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await jobs()).toEqual([])
    await app.app.system().transaction((inside) => inside.enqueue(count, { n: 2 }))
    expect(await jobs()).toMatchObject([{ task: 'test.count', state: 'waiting', attempts: 0 }])
  })

  test('runs no earlier than its run time', async () => {
    const runAt = new Date(Date.now() + 3_600_000)
    await app.app.system().enqueue(count, { n: 1 }, { runAt })
    await enqueue(2)
    const done: number[] = []
    await work(async (n) => void done.push(n))
    await eventually(() => done).toEqual([2])
    await eventually(jobs).toMatchObject([{ state: 'waiting', runAt: runAt.toISOString() }])
  })

  test('is retried later and shows its error when it fails', async () => {
    await work(failing)
    await enqueue(1)
    await eventually(jobs).toMatchObject([
      { state: 'retrying', attempts: 1, maxAttempts: 12, lastError: 'the printer is on fire' },
    ])
    expect((await jobs())[0]!.runAt > (await jobs())[0]!.createdAt).toBe(true)
  })

  test('fails without running if its payload is invalid', async () => {
    const done: number[] = []
    await work(async (n) => void done.push(n))
    await app.app.system().enqueue({ ...count, payload: z.any() }, { n: 'one' })
    await eventually(jobs).toMatchObject([{ state: 'retrying' }])
    expect(done).toEqual([])
  })

  test('is dead after its own number of attempts', async () => {
    const twice = { ...count, maxAttempts: 2 }
    await app.app.system().enqueue(twice, { n: 1 })
    await work(failing)
    await eventually(jobs).toMatchObject([{ state: 'retrying', attempts: 1, maxAttempts: 2 }])
    await app.sql`update graphile_worker._private_jobs set run_at = now()`
    await eventually(jobs).toMatchObject([{ state: 'dead', attempts: 2 }])
  })

  test('runs when enqueued under a retired name', async () => {
    const renamed = { ...count, name: 'test.renamed', retiredNames: [count.name] }
    const done: number[] = []
    await enqueue(1)
    await app.app.system().enqueue(renamed, { n: 2 })
    await start([onJob(renamed, async (_, { n }) => void done.push(n))])
    await eventually(() => done.toSorted()).toEqual([1, 2])
    await eventually(jobs).toEqual([])
  })

  test('is dead after its last failure: stored, listed and not run again', async () => {
    let runs = 0
    await work(() => {
      runs++
      return failing()
    })
    await enqueue(1)
    await eventually(jobs).toMatchObject([{ state: 'retrying' }])
    await makeLastAttempt()
    await eventually(jobs).toMatchObject([{ state: 'dead', attempts: 12 }])
    expect(runs).toBe(2)
  })
})

describe('an operator', () => {
  test('retries a dead job', async () => {
    const { id } = await insertDeadJob()
    expect(await operator.operations.retryJob({ id })).toMatchObject({ state: 'waiting', attempts: 0 })
    const done: number[] = []
    await work(async (n) => void done.push(n))
    await eventually(() => done).toEqual([1])
    await eventually(jobs).toEqual([])
  })

  test('discards a dead job', async () => {
    const { id } = await insertDeadJob()
    expect(await operator.operations.discardJob({ id })).toEqual({ discarded: true })
    expect(await jobs()).toEqual([])
    await expect(operator.operations.discardJob({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('can neither retry nor discard a job that is not dead or does not exist', async () => {
    await enqueue(1)
    const alive = (await jobs())[0]!.id
    for (const id of [alive, '999999999', 'nonsense']) {
      await expect(operator.operations.retryJob({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(operator.operations.discardJob({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    expect(await jobs()).toHaveLength(1)
  })

  test('sees dead jobs first', async () => {
    const { id } = await insertDeadJob()
    await enqueue(2)
    expect((await jobs()).map(({ state }) => state)).toEqual(['dead', 'waiting'])
    expect((await jobs())[0]!.id).toBe(id)
  })
})

describe('workers', () => {
  test('finish running jobs in every lane before they stop, and store that they ended', async () => {
    const mayEnd = Promise.withResolvers<void>()
    const lanes = Object.entries(LANES) as [Lane, number][]
    const running: Job<{ n: number }>[] = lanes.map(([lane]) => ({ ...count, name: `test.${lane}`, lane }))
    const stop = await start(running.map((job) => onJob(job, () => mayEnd.promise)))
    const { enqueue } = app.app.system()
    for (const [index, [, concurrency]] of lanes.entries())
      for (let n = 0; n < concurrency; n++) await enqueue(running[index]!, { n })
    const all = lanes.flatMap(([, concurrency]) => Array.from({ length: concurrency }, () => 'running'))
    await eventually(async () => (await jobs()).map(({ state }) => state)).toEqual(all)
    const stopped = stop()
    mayEnd.resolve()
    await stopped
    expect(await jobs()).toEqual([])
  })

  test('survive an unreachable database while a job ends', async () => {
    const connection = app.connection as Exclude<Connection, string>
    const { database } = connection
    const admin = openDatabase({ ...connection, database: 'postgres' }, 'test admin')
    const accept = (isAccepting: boolean) =>
      admin.unsafe(`alter database ${database} allow_connections ${isAccepting}`)
    onTestFinished(async () => {
      await accept(true)
      await admin.end()
    })
    const mayEnd = Promise.withResolvers<void>()
    const done: number[] = []
    await work(async (n) => {
      await mayEnd.promise
      done.push(n)
    })
    await enqueue(1)
    await eventually(jobs).toMatchObject([{ state: 'running' }])
    await accept(false)
    await admin`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${database} and application_name like 'atrium worker %'`
    mayEnd.resolve()
    await eventually(() => done).toEqual([1])
    // Waits as long as an attempt of the worker takes.
    const refused = openDatabase(app.connection, 'test')
    await expect(refused`select 1`).rejects.toThrow('not currently accepting connections')
    await refused.end()
    await accept(true)
    await enqueue(2)
    await eventually(() => done).toEqual([1, 2])
    await eventually(jobs).toEqual([])
  })

  const lock = (n: number, worker: string, seconds: number) => app.sql`
    update graphile_worker._private_jobs
    set locked_by = ${worker}, locked_at = now() - make_interval(secs => ${seconds})
    where (payload ->> 'n')::int = ${n}`

  test("take over a killed worker's jobs, and leave those of a live or briefly silent one", async () => {
    for (const n of [1, 2, 3]) await enqueue(n)
    await lock(1, 'killed', 60)
    await lock(2, 'alive', 60)
    await lock(3, 'silent', 10)
    await app.sql`
      insert into job_processes (id, worker_ids, seen_at) values (gen_random_uuid(), array['alive'], now())`
    const done: number[] = []
    await work(async (n) => void done.push(n))
    await eventually(() => done).toEqual([1])
    await eventually(jobs).toMatchObject([{ state: 'running' }, { state: 'running' }])
  })

  test('take over jobs from a process without a heartbeat for half a minute', async () => {
    await enqueue(1)
    await lock(1, 'lost', 60)
    await app.sql`
      insert into job_processes (id, worker_ids, seen_at)
      values (gen_random_uuid(), array['lost'], now() - interval '31 seconds')`
    const done: number[] = []
    await work(async (n) => void done.push(n))
    await eventually(() => done).toEqual([1])
  })

  test('run each job once across two processes', async () => {
    const done: [worker: string, n: number][] = []
    await work(async (n) => void done.push(['first', n]))
    await work(async (n) => void done.push(['second', n]))
    await Promise.all(Array.from({ length: 200 }, (_, n) => enqueue(n)))
    await eventually(jobs).toEqual([])
    expect(done.map(([, n]) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n))
    expect(new Set(done.map(([worker]) => worker))).toEqual(new Set(['first', 'second']))
  })

  test("run one lane's jobs while another lane is full", async () => {
    const long: typeof count = { ...count, name: 'test.long', lane: 'bulk' }
    const mail: typeof count = { ...count, name: 'test.mail', lane: 'mail' }
    const release = Promise.withResolvers<void>()
    const done: number[] = []
    const stop = await start([
      onJob(long, async (_, { n }) => {
        await release.promise
        done.push(n)
      }),
      onJob(mail, async (_, { n }) => void done.push(n)),
    ])
    onTestFinished(() => release.resolve())
    const { enqueue } = app.app.system()
    for (let n = 0; n <= LANES.bulk; n++) await enqueue(long, { n })
    const running = async () => (await jobs()).filter(({ state }) => state === 'running').length
    await eventually(running).toBe(LANES.bulk)
    await enqueue(mail, { n: 100 })
    await eventually(() => done).toEqual([100])
    expect(await jobs()).toHaveLength(LANES.bulk + 1)
    release.resolve()
    await eventually(jobs).toEqual([])
    await stop()
  })
})

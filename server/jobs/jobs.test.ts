import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import { type Job, onJob } from './job.ts'
import { startWorker } from './worker.ts'

let app: TestApp
let operator: Awaited<ReturnType<TestApp['operator']>>['client']
beforeAll(async () => {
  app = await buildTestApp()
  operator = (await app.operator()).client
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from graphile_worker._private_jobs`)

/** Not declared by `job`, which would oblige the app to have a handler for it. */
const count: Job<{ n: number }> = { name: 'test.count', payload: z.object({ n: z.number() }) }

const enqueue = (n: number) => app.app.system().enqueue(count, { n })

async function work(run: (n: number) => Promise<void>) {
  const worker = await startWorker({
    connection: app.connection,
    pool: app.sql,
    context: app.app.system,
    handlers: [onJob(count, (_, { n }) => run(n))],
    schedules: [],
    log: pino({ level: 'silent' }),
  })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= worker.stop())
  onTestFinished(stop)
  return stop
}

/** Enqueued jobs, as an operator sees them. */
const jobs = async () => (await operator.operations.jobs()).items
const eventually = <T>(read: () => Promise<T> | T) => expect.poll(read)

const failing = async () => {
  throw new Error('the printer is on fire')
}

/** The next failure is the last one; it happens soon. */
const makeLastAttempt = () => app.sql`
  update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now()`

async function deadJob() {
  await enqueue(1)
  await app.sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'gave up'`
  return (await jobs())[0]!
}

describe('a job', () => {
  test('is enqueued on the transaction that caused it: undone with it, committed with it', async () => {
    const undone = app.app.system().transaction(async (inside) => {
      await inside.enqueue(count, { n: 1 })
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await jobs()).toEqual([])
    await app.app.system().transaction((inside) => inside.enqueue(count, { n: 2 }))
    expect(await jobs()).toMatchObject([{ task: 'test.count', state: 'waiting', attempts: 0 }])
  })

  test('can be put off until later', async () => {
    const runAt = new Date(Date.now() + 3_600_000)
    await app.app.system().enqueue(count, { n: 1 }, { runAt })
    await enqueue(2)
    const done: number[] = []
    await work(async (n) => void done.push(n))
    await eventually(() => done).toEqual([2])
    await eventually(jobs).toMatchObject([{ state: 'waiting', runAt: runAt.toISOString() }])
  })

  test('that fails is tried again later, with its error on show', async () => {
    await work(failing)
    await enqueue(1)
    await eventually(jobs).toMatchObject([
      { state: 'retrying', attempts: 1, maxAttempts: 12, lastError: 'the printer is on fire' },
    ])
    expect((await jobs())[0]!.runAt > (await jobs())[0]!.createdAt).toBe(true)
  })

  test('whose payload does not fit fails instead of running on nonsense', async () => {
    const done: number[] = []
    await work(async (n) => void done.push(n))
    await app.app.system().enqueue({ ...count, payload: z.any() }, { n: 'one' })
    await eventually(jobs).toMatchObject([{ state: 'retrying' }])
    expect(done).toEqual([])
  })

  test('that fails for the last time is dead: kept, shown, and not run again', async () => {
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
  test('gives a dead job a new life', async () => {
    const { id } = await deadJob()
    expect(await operator.operations.retryJob({ id })).toMatchObject({ state: 'waiting', attempts: 0 })
    const done: number[] = []
    await work(async (n) => void done.push(n))
    await eventually(() => done).toEqual([1])
    await eventually(jobs).toEqual([])
  })

  test('discards a dead job', async () => {
    const { id } = await deadJob()
    expect(await operator.operations.discardJob({ id })).toEqual({ discarded: true })
    expect(await jobs()).toEqual([])
    await expect(operator.operations.discardJob({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('cannot touch a job that is alive, nor one that does not exist', async () => {
    await enqueue(1)
    const alive = (await jobs())[0]!.id
    for (const id of [alive, '999999999', 'nonsense']) {
      await expect(operator.operations.retryJob({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(operator.operations.discardJob({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    expect(await jobs()).toHaveLength(1)
  })

  test('sees dead jobs before all others', async () => {
    const { id } = await deadJob()
    await enqueue(2)
    expect((await jobs()).map(({ state }) => state)).toEqual(['dead', 'waiting'])
    expect((await jobs())[0]!.id).toBe(id)
  })
})

describe('workers', () => {
  test('finish what they are doing before they stop', async () => {
    let finish = () => {}
    const done: number[] = []
    const stop = await work(async (n) => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      done.push(n)
    })
    await enqueue(1)
    await eventually(jobs).toMatchObject([{ state: 'running' }])
    const stopped = stop()
    finish()
    await stopped
    expect(done).toEqual([1])
    expect(await jobs()).toEqual([])
  })

  const lock = (n: number, worker: string, seconds: number) => app.sql`
    update graphile_worker._private_jobs
    set locked_by = ${worker}, locked_at = now() - make_interval(secs => ${seconds})
    where (payload ->> 'n')::int = ${n}`

  test('take over from one that was killed, and leave alone who is alive or only just silent', async () => {
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

  test('forget a process that has not been seen for half a minute', async () => {
    await enqueue(1)
    await lock(1, 'lost', 60)
    await app.sql`
      insert into job_processes (id, worker_ids, seen_at)
      values (gen_random_uuid(), array['lost'], now() - interval '31 seconds')`
    const done: number[] = []
    await work(async (n) => void done.push(n))
    await eventually(() => done).toEqual([1])
  })

  test('on one database do nothing twice', async () => {
    const done: [worker: string, n: number][] = []
    await work(async (n) => void done.push(['first', n]))
    await work(async (n) => void done.push(['second', n]))
    await Promise.all(Array.from({ length: 200 }, (_, n) => enqueue(n)))
    await eventually(jobs).toEqual([])
    expect(done.map(([, n]) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n))
    expect(new Set(done.map(([worker]) => worker))).toEqual(new Set(['first', 'second']))
  })
})

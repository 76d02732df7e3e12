import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type Job, LANES } from '../../server/jobs/job.ts'
import { onJob } from '../../server/jobs/job-handler.ts'
import { startWorker } from '../../server/jobs/worker.ts'
import { NO_SUSPENSIONS } from '../../server/testing/fakes/suspensions.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from graphile_worker._private_jobs`)

/** Not declared with `job`: the app would then need a handler for it. */
const work: Job<{ orgId: string }> = { name: 'test.work', payload: z.object({ orgId: z.string() }) }

const enqueue = async (orgId: string, count: number) => {
  for (let n = 0; n < count; n++) await app.app.system().enqueue(work, { orgId })
}

/** A worker whose jobs record their organization, and wait until the test unblocks them. */
async function start() {
  const unblocked = Promise.withResolvers<void>()
  const started: string[] = []
  const run = async (orgId: string) => {
    started.push(orgId)
    if (orgId !== 'quiet') await unblocked.promise
  }
  const worker = await startWorker({
    connection: app.connection,
    pool: app.sql,
    context: app.app.system,
    handlers: [onJob(work, (_, { orgId }) => run(orgId))],
    schedules: [],
    suspensions: NO_SUSPENSIONS,
    log: pino({ level: 'silent' }),
  })
  onTestFinished(async () => {
    unblocked.resolve()
    await worker.stop()
  })
  return { started, unblock: () => unblocked.resolve() }
}

test('runs the first job of a quiet organization while the jobs of a greedy one occupy its share of the lane', async () => {
  await enqueue('greedy', 30)
  const { started } = await start()
  await expect.poll(() => started).toHaveLength(LANES.default - 1)
  await enqueue('quiet', 1)
  await expect.poll(() => started).toContain('quiet')
  expect(started.filter((orgId) => orgId === 'greedy')).toHaveLength(LANES.default - 1)
})

test('runs the first job of a quiet organization before the backlogs of several greedy ones', async () => {
  await enqueue('greedy', 30)
  await enqueue('greedier', 30)
  const { started, unblock } = await start()
  await expect.poll(() => started).toHaveLength(LANES.default)
  await enqueue('quiet', 1)
  unblock()
  await expect.poll(() => started).toHaveLength(61)
  // It starts when the first worker is free; the others may have claimed their next jobs at the same time.
  expect(started.indexOf('quiet')).toBeLessThan(2 * LANES.default)
})

test('counts the waiting jobs of an organization per lane', async () => {
  const other: Job<{ orgId: string }> = { ...work, name: 'test.other', lane: 'bulk' }
  await enqueue('greedy', 3)
  await app.app.system().enqueue(other, { orgId: 'greedy' })
  const rows = await app.sql`
    select task_identifier as task, priority from graphile_worker.jobs order by task_identifier, priority`
  expect(rows.map(({ task, priority }) => `${task} ${priority}`)).toEqual([
    'test.other 0',
    'test.work 0',
    'test.work 1',
    'test.work 2',
  ])
})

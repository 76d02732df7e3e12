import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type Job, LANES } from '../../server/jobs/job.ts'
import { onJob } from '../../server/jobs/job-handler.ts'
import { startWorker } from '../../server/jobs/worker.ts'
import { fixedClock } from '../../server/processes/database-clock.ts'
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
    if (orgId !== 'other') await unblocked.promise
  }
  const worker = await startWorker({
    connection: app.connection,
    pool: app.sql,
    context: app.app.system,
    clock: fixedClock(() => new Date()),
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

test("a worker runs an organization's first job while another's jobs occupy their share of the lane", async () => {
  await enqueue('busy', 30)
  const { started } = await start()
  await expect.poll(() => started).toHaveLength(LANES.default - 1)
  await enqueue('other', 1)
  await expect.poll(() => started).toContain('other')
  expect(started.filter((orgId) => orgId === 'busy')).toHaveLength(LANES.default - 1)
})

test("a worker runs an organization's first job before several others' backlogs", async () => {
  await enqueue('busy', 30)
  await enqueue('greedier', 30)
  const { started, unblock } = await start()
  await expect.poll(() => started).toHaveLength(LANES.default)
  await enqueue('other', 1)
  unblock()
  await expect.poll(() => started).toHaveLength(61)
  // The job starts when the first worker is free; the others may have claimed their next jobs at the same time.
  expect(started.indexOf('other')).toBeLessThan(2 * LANES.default)
})

test("a job's priority counts its organization's waiting jobs per lane", async () => {
  const bulk: Job<{ orgId: string }> = { ...work, name: 'test.bulk', lane: 'bulk' }
  await enqueue('busy', 3)
  await app.app.system().enqueue(bulk, { orgId: 'busy' })
  const rows = await app.sql`
    select task_identifier as task, priority from graphile_worker.jobs order by task_identifier, priority`
  expect(rows.map(({ task, priority }) => `${task} ${priority}`)).toEqual([
    'test.bulk 0',
    'test.work 0',
    'test.work 1',
    'test.work 2',
  ])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { makeSetupToken } from '../accounts/accounts.ts'
import { operationSchedules } from './upkeep.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

async function sweep() {
  await app.app.system().enqueue(operationSchedules[0]!.job, {})
  await expect.poll(() => app.sql`select from graphile_worker.jobs`, { timeout: 20_000 }).toHaveLength(0)
}

const countOf = async (table: string) => (await app.sql`select from ${app.sql(table)}`).length

test('what has served its time is removed, and nothing before', async () => {
  await makeSetupToken(app.app.system())
  await app.operator()
  const { client } = await app.newcomer()
  await client.feedback.submit({ message: 'm' }, { idempotencyKey: 'once' })
  const kept = async () => ({
    setup_links: await countOf('setup_links'),
    idempotent_answers: await countOf('idempotent_answers'),
    rate_limits: await countOf('rate_limits'),
    sessions: await countOf('sessions'),
    mails: await countOf('mails'),
  })
  const everything = { setup_links: 1, idempotent_answers: 1, rate_limits: 1, sessions: 1, mails: 1 }

  app.clock.advance(DAY_S - HOUR_S)
  await sweep()
  expect(await kept()).toEqual(everything)

  app.clock.advance(2 * HOUR_S)
  await sweep()
  const afterADay = { ...everything, setup_links: 0, idempotent_answers: 0, rate_limits: 0 }
  expect(await kept()).toEqual(afterADay)

  app.clock.advance(6 * DAY_S)
  await sweep()
  expect(await kept()).toEqual({ ...afterADay, sessions: 0 })

  app.clock.advance(24 * DAY_S)
  await sweep()
  expect(await kept()).toEqual({ ...afterADay, sessions: 0, mails: 0 })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScripted } from '../../server/testing/clients/agent-runs.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { createTenant, type Tenant } from './tenants.ts'

const RUNS = 13
/** Runs of one organization that a process executes in parallel. */
const RUNNING_MAX = 10

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

const statusesOf = async ({ client }: Tenant) =>
  (await client.agentRuns.list({ limit: 50 })).items.map(({ status }) => status).toSorted()

test("an organization's run ends while another's runs are waiting for their models", async () => {
  const [busy, other] = [await createTenant(app), await createTenant(app)]
  for (let n = 0; n < RUNS; n++) await startScripted(busy.client, busy.id, ['wait 600000', 'say late'])
  const waiting = [
    ...Array<string>(RUNS - RUNNING_MAX).fill('queued'),
    ...Array<string>(RUNNING_MAX).fill('running'),
  ]
  await expect.poll(() => statusesOf(busy)).toEqual(waiting)
  await startScripted(other.client, other.id, ['say done'])
  await expect.poll(() => statusesOf(other)).toEqual(['succeeded'])
  expect(await statusesOf(busy)).toEqual(waiting)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScripted } from '../../server/testing/clients/agent-runs.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { createTenant, type Tenant } from './tenants.ts'

const RUNS = 13
/** Runs of one organization that a process executes in parallel. */
const RUNNING_MAX = 10
/** Of these, items of lists and what they started. */
const BULK_MAX = 7

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

test("a chat ends while runs that a list's items have started are waiting for their models", async () => {
  const { client, id: projectId } = await createTenant(app)
  const { id: agentId } = await client.agents.create({
    name: 'Worker',
    model: 'test/script',
    tools: { agents: true },
  })
  const endless = ['~~~script', 'wait 600000', 'say late', '~~~'].join('\n')
  const call = `call run_agent ${JSON.stringify({ agent: 'Worker', message: endless })}`
  const values = Array.from({ length: 1000 }, (_, n) => n)
  const { run: list } = await client.forEach.start({
    projectId,
    agentId,
    instructions: ['~~~script', call, '~~~'].join('\n'),
    over: { from: 'values', values },
    concurrency: 20,
  })
  const running = async () => {
    const [row] = await app.sql<{ count: number }[]>`
      select count(*)::int from runs r join runs i on i.org_id = r.org_id and i.id = r.parent_run_id
      where i.parent_run_id = ${list.id} and r.status = 'running'`
    return row!.count
  }
  await expect.poll(running).toBe(BULK_MAX)
  await startScripted(client, projectId, ['say done'])
  await expect
    .poll(async () => (await client.agentRuns.list({ limit: 1, trigger: 'message' })).items[0]!.status)
    .toBe('succeeded')
  expect(await running()).toBe(BULK_MAX)
})

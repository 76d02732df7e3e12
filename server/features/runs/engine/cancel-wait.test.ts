import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScripted } from '../../../testing/clients/agent-runs.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { claimRuns } from './run-row.ts'
import { wait } from './settle.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('a cancellation that arrives just before a run waits makes its next step due', async () => {
  const { client, person } = await app.newcomer()
  const { runId } = await startScripted(client, (await app.project(person)).id, ['say one'])
  const system = app.app.system()
  const claim = () => claimRuns(app.sql, { running: [], perOrganization: 10, limit: 10, now: new Date() })
  const [held] = await claim()
  await client.agentRuns.cancel({ id: runId })
  await wait(system, held!, 'approval')
  expect(await claim()).toMatchObject([{ id: runId, cancelRequestedAt: expect.any(String) }])
})

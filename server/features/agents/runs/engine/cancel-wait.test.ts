import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScripted } from '../../../../testing/clients/agent-runs.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { leaseEnd } from '../state/lease.ts'
import { claimRuns } from '../state/run-row.ts'
import { wait } from './settle.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('a run canceled just before it waits continues with its next step', async () => {
  const { client, person } = await app.newUser()
  const { runId } = await startScripted(client, (await app.project(person)).id, ['say one'])
  const system = app.app.system()
  const now = new Date()
  const [claimed] = await claimRuns(app.sql, {
    ...{ running: [], perOrganization: 10, limit: 10, now },
    leasedUntil: leaseEnd(now),
  })
  await client.agentRuns.cancel({ id: runId })
  expect(await wait(system, claimed!, 'approval')).toBe('next')
  expect(await client.agentRuns.get({ id: runId })).toMatchObject({ status: 'running', wait: null })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { append, LeaseLost, leaseEnd } from '../state/lease.ts'
import { claimRuns } from '../state/run-row.ts'

/** Without a worker: the test claims the runs. */
let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const claim = (running: { orgId: string; count: number }[] = [], limit = 20) =>
  claimRuns(app.sql, {
    running,
    perOrganization: 10,
    limit,
    now: app.clock.now(),
    leasedUntil: leaseEnd(app.clock.now()),
  })

async function queueRuns(count: number) {
  const chat = await createChatClient(app)
  for (let n = 0; n < count; n++) await chat.start(script('say x'))
  return chat.org.id
}

test('organizations take turns, none exceeds ten, and two workers never claim the same run', async () => {
  const busy = await queueRuns(25)
  const other = await queueRuns(2)
  const countOf = (claimed: readonly { orgId: string }[], orgId: string) =>
    claimed.filter((run) => run.orgId === orgId).length
  const first = await claim([], 4)
  expect([countOf(first, busy), countOf(first, other)]).toEqual([2, 2])
  const [left, right] = await Promise.all([claim(), claim()])
  const all = [...first, ...left, ...right]
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(Math.max(countOf(left, busy), countOf(right, busy))).toBeLessThanOrEqual(10)
  expect(await claim([{ orgId: busy, count: 10 }])).toEqual([])

  const [run] = first
  await append(app.sql, run!, [], app.clock.now())
  app.clock.advance(60)
  const expired = await claimRuns(app.sql, {
    running: [],
    perOrganization: 50,
    limit: 50,
    now: app.clock.now(),
    leasedUntil: leaseEnd(app.clock.now()),
  })
  const reclaimed = expired.find(({ id }) => id === run!.id)
  expect(reclaimed!.lease).toBe(run!.lease + 1)
  await expect(append(app.sql, run!, [], app.clock.now())).rejects.toBeInstanceOf(LeaseLost)
})

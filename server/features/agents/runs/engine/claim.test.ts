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

const claim = (running: { orgId: string; count: number; bulk?: number }[] = [], limit = 20) =>
  claimRuns(app.sql, {
    running,
    perOrganization: 10,
    bulkPerOrganization: 7,
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

test('items of lists leave places to later runs of their organization, and get free ones in turn', async () => {
  const orgId = await queueRuns(20)
  await app.sql`update runs set is_bulk = true where org_id = ${orgId}`
  await app.sql`update runs set due_at = null where org_id <> ${orgId}`
  const first = await claim()
  expect(first.map(({ isBulk }) => isBulk)).toEqual(Array(7).fill(true))
  expect(await claim([{ orgId, count: 7, bulk: 7 }])).toEqual([])
  await app.sql`
    update runs set is_bulk = false
    where id = (select id from runs where org_id = ${orgId} and lease = 0 order by due_at desc, id desc limit 1)`
  const second = await claim([{ orgId, count: 7, bulk: 7 }])
  expect(second.map(({ isBulk }) => isBulk)).toEqual([false])
  expect((await claim([{ orgId, count: 8, bulk: 5 }])).length).toBe(2)
  expect((await claim([{ orgId, count: 9, bulk: 0 }])).length).toBe(1)
  expect(await claim([{ orgId, count: 10, bulk: 0 }])).toEqual([])
})

import { beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { blockedBackends, createTenant, type Tenant } from './tenants.ts'

let app: TestApp
let busy: Tenant
let other: Tenant
beforeAll(async () => {
  app = await shareTestApp()
  busy = await createTenant(app)
  other = await createTenant(app)
})

/** Blocks every call that locks the project of the busy organization. */
async function whileBlocked(work: () => Promise<void>): Promise<void> {
  const blocker = await app.sql.reserve()
  await blocker`begin`
  await blocker`select from projects where org_id = ${busy.org.id} and id = ${busy.id} for update`
  try {
    await work()
  } finally {
    await blocker`rollback`
    blocker.release()
  }
}

const times = <T>(count: number, call: () => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, call))

describe('organization with all calls blocked in the database', () => {
  test('another organization reads and writes', async () => {
    let blocked: Promise<unknown> | undefined
    await whileBlocked(async () => {
      blocked = times(40, () => busy.client.projects.update({ id: busy.id, description: 'More' }))
      await expect.poll(async () => (await blockedBackends(app)).length).toBeGreaterThanOrEqual(6)
      await other.client.projects.update({ id: other.id, description: 'Less' })
      expect(await other.client.projects.get({ id: other.id })).toMatchObject({ description: 'Less' })
    })
    // On a busy machine, calls that waited for too long are refused.
    for (const outcome of (await blocked) as PromiseSettledResult<unknown>[])
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ details: { reason: 'busy' } })
  })

  test('another organization duplicates, exports and opens a project', async () => {
    let blocked: Promise<unknown> | undefined
    await whileBlocked(async () => {
      blocked = Promise.all([
        times(12, () => busy.client.projects.duplicate({ id: busy.id })),
        times(12, () => busy.client.projectExport.export({ projectId: busy.id })),
      ])
      await expect.poll(async () => (await blockedBackends(app)).length).toBeGreaterThanOrEqual(2)
      expect(await other.client.projects.duplicate({ id: other.id })).toMatchObject({ name: 'Plans (copy)' })
      expect(await other.client.projectExport.export({ projectId: other.id })).toHaveProperty('checksum')
      expect(await other.client.projects.navigator({ id: other.id })).toHaveProperty('counts')
      expect(await other.client.projects.get({ id: other.id })).toMatchObject({ name: 'Plans' })
      // Short calls of the busy organization have separate connections too.
      expect(await busy.client.projects.get({ id: busy.id })).toMatchObject({ name: 'Plans' })
    })
    await blocked
    const copies = (await busy.client.projects.list({})).items.filter(({ name }) => name !== 'Plans')
    expect(copies).toHaveLength(12)
  })

  test("heavy calls beyond the organization's queue are refused with RATE_LIMITED and Retry-After", async () => {
    const refusals: unknown[] = []
    const call = () =>
      busy.client.projectExport.export({ projectId: busy.id }).catch((error) => refusals.push(error))
    let blocked: Promise<unknown> | undefined
    await whileBlocked(async () => {
      blocked = times(45, call)
      await expect.poll(() => refusals.length).toBe(3)
      expect(await other.client.projectExport.export({ projectId: other.id })).toHaveProperty('checksum')
    })
    await blocked
    expect(refusals).toHaveLength(3)
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        code: 'RATE_LIMITED',
        details: { reason: 'busy' },
        retryAfterSeconds: 5,
      })
  })
})

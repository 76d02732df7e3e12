import { beforeAll, describe, expect, test } from 'vitest'
import { shareTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { blockedBackends, createTenant, type Tenant } from './tenants.ts'

let app: TestApp
let greedy: Tenant
let quiet: Tenant
beforeAll(async () => {
  app = await shareTestApp()
  greedy = await createTenant(app)
  quiet = await createTenant(app)
})

/** Blocks every call that locks the project of the greedy organization. */
async function whileBlocked(work: () => Promise<void>): Promise<void> {
  const blocker = await app.sql.reserve()
  await blocker`begin`
  await blocker`select from projects where org_id = ${greedy.org.id} and id = ${greedy.id} for update`
  try {
    await work()
  } finally {
    await blocker`rollback`
    blocker.release()
  }
}

const times = <T>(count: number, call: () => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, call))

describe('while every call of a greedy organization is blocked in the database', () => {
  test('a quiet organization reads and writes', async () => {
    let blocked: Promise<unknown> | undefined
    await whileBlocked(async () => {
      blocked = times(40, () => greedy.client.projects.update({ id: greedy.id, description: 'More' }))
      await expect.poll(async () => (await blockedBackends(app)).length).toBeGreaterThanOrEqual(6)
      await quiet.client.projects.update({ id: quiet.id, description: 'Less' })
      expect(await quiet.client.projects.get({ id: quiet.id })).toMatchObject({ description: 'Less' })
    })
    expect(await blocked).toEqual(Array(40).fill(expect.objectContaining({ status: 'fulfilled' })))
  })

  test('a quiet organization duplicates, exports and opens a project', async () => {
    let blocked: Promise<unknown> | undefined
    await whileBlocked(async () => {
      blocked = Promise.all([
        times(12, () => greedy.client.projects.duplicate({ id: greedy.id })),
        times(12, () => greedy.client.projectExport.export({ projectId: greedy.id })),
      ])
      await expect.poll(async () => (await blockedBackends(app)).length).toBeGreaterThanOrEqual(2)
      expect(await quiet.client.projects.duplicate({ id: quiet.id })).toMatchObject({ name: 'Plans (copy)' })
      expect(await quiet.client.projectExport.export({ projectId: quiet.id })).toHaveProperty('checksum')
      expect(await quiet.client.projects.navigator({ id: quiet.id })).toHaveProperty('counts')
      expect(await quiet.client.projects.get({ id: quiet.id })).toMatchObject({ name: 'Plans' })
      // Its own short calls have connections of their own too.
      expect(await greedy.client.projects.get({ id: greedy.id })).toMatchObject({ name: 'Plans' })
    })
    await blocked
    const copies = (await greedy.client.projects.list({})).items.filter(({ name }) => name !== 'Plans')
    expect(copies).toHaveLength(12)
  })

  test('heavy calls beyond its queue are refused with RATE_LIMITED and a time to retry', async () => {
    const refusals: unknown[] = []
    const call = () =>
      greedy.client.projectExport.export({ projectId: greedy.id }).catch((error) => refusals.push(error))
    let blocked: Promise<unknown> | undefined
    await whileBlocked(async () => {
      blocked = times(45, call)
      await expect.poll(() => refusals.length).toBe(3)
      expect(await quiet.client.projectExport.export({ projectId: quiet.id })).toHaveProperty('checksum')
    })
    await blocked
    expect(refusals).toHaveLength(3)
    expect(refusals[0]).toMatchObject({ code: 'RATE_LIMITED', details: { reason: 'busy' } })
  })
})

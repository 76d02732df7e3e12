import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { sampleJobs } from './samples.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('a sample per minute is kept for a day, and read as the highest of each quarter of an hour', async () => {
  const { client } = await app.operator()
  const takeSample = () => sampleJobs[0]!.run(app.app.system() as never, {} as never)
  expect((await client.operations.samples()).items).toEqual([])
  await takeSample()
  await takeSample()
  const [row] = await app.sql<{ count: number }[]>`select count(*)::int as count from health_samples`
  expect(row!.count).toBe(1)
  const before = (await client.operations.samples()).items
  expect(before).toHaveLength(1)
  expect(Date.parse(before[0]!.at) % (15 * 60_000)).toBe(0)

  await app.sql`update health_samples set waiting = 7, lag_s = 12.5`
  expect((await client.operations.samples()).items).toMatchObject([{ waiting: 7, lagSeconds: 12.5 }])
  app.clock.advance(25 * 3600)
  await takeSample()
  const [later] = await app.sql<{ count: number }[]>`select count(*)::int as count from health_samples`
  expect(later!.count).toBe(1)
})

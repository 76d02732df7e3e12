import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('/healthz tells that the process answers', async () =>
  expect((await app.request('GET', '/healthz')).body).toEqual({ status: 'alive' }))

test('/readyz tells whether the database is there and migrated', async () => {
  const ready = await app.request('GET', '/readyz')
  expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }])
  await app.sql`alter table migrations rename to elsewhere`
  const unready = await app.request('GET', '/readyz')
  await app.sql`alter table elsewhere rename to migrations`
  expect([unready.status, unready.body]).toEqual([503, { status: 'not ready' }])
})

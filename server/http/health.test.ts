import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('/healthz responds while the process runs', async () =>
  expect((await app.request('GET', '/healthz')).body).toEqual({ status: 'alive' }))

test('/readyz reports whether the database is reachable and migrated', async () => {
  const ready = await app.request('GET', '/readyz')
  expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }])
  await app.sql`alter table migrations rename to renamed`
  const unready = await app.request('GET', '/readyz')
  await app.sql`alter table renamed rename to migrations`
  expect([unready.status, unready.body]).toEqual([503, { status: 'not ready' }])
})

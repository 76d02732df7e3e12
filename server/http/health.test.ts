import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('/healthz responds while the process runs', async () =>
  expect((await app.request('GET', '/healthz')).body).toEqual({ status: 'alive' }))

const ready = { database: 'ready', objectStorage: 'ready', clock: 'ready' }

test('/readyz reports which part of the installation fails', async () => {
  const all = await app.request('GET', '/readyz')
  expect([all.status, all.body]).toEqual([200, { status: 'ready', parts: ready }])
  await app.sql`alter table migrations rename to renamed`
  const unmigrated = await app.request('GET', '/readyz')
  await app.sql`alter table renamed rename to migrations`
  const parts = { ...ready, database: 'unavailable' }
  expect([unmigrated.status, unmigrated.body]).toEqual([503, { status: 'not ready', parts }])
  await app.sql`insert into migrations (name, checksum) values ('9999_newer.sql', 'unknown')`
  const newer = await app.request('GET', '/readyz')
  await app.sql`delete from migrations where name = '9999_newer.sql'`
  expect([newer.status, newer.body]).toEqual([503, { status: 'not ready', parts }])

  const [folder, unmounted] = ['objects', 'unmounted'].map((name) => join(app.dataFolder, name)) as [
    string,
    string,
  ]
  await rename(folder, unmounted)
  await expect.poll(async () => (await app.request('GET', '/readyz')).body.status).toBe('degraded')
  const degraded = await app.request('GET', '/readyz')
  await rename(unmounted, folder)
  const withoutDisk = { ...ready, objectStorage: 'unavailable' }
  expect([degraded.status, degraded.body]).toEqual([200, { status: 'degraded', parts: withoutDisk }])
})

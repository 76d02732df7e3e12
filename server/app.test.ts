import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { anonymous, endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { createApp } from './app.ts'
import type { AppOptions } from './app-options.ts'
import { readConfig } from './config/config.ts'
import { declaredJobs, job } from './jobs/job.ts'
import { waitForBlockedBackends, whileLocked } from './testing/locks.ts'
import { buildTestApp, type TestApp } from './testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const boot = (options: Partial<AppOptions> = {}) =>
  createApp({
    ...options,
    config: readConfig({ PORT: '0', ATRIUM_DATA: app.dataFolder }),
    connection: app.connection,
    isOnlyProcess: false,
    secret: 'a secret for tests, long enough to be one',
    log: pino({ level: 'silent' }),
  })

test("shutdown doesn't wait for a terminated database connection", async () => {
  const second = await buildTestApp({ on: app.connection })
  const { headers } = await second.newUser()
  const response = await whileLocked(app.sql, 'feedback', async () => {
    const pendingResponse = second.request('GET', '/api/v1/feedback', { headers })
    await app.sql`select pg_terminate_backend(pid) from unnest(${await waitForBlockedBackends(app.sql)}::int[]) as pid`
    return pendingResponse
  })
  expect(response.status).toBe(503)
  await second.close()
})

test("shutdown doesn't wait for a client that keeps a connection which another process accepted", async () => {
  const second = await boot()
  const accepted = createServer().listen(0, '127.0.0.1')
  await once(accepted, 'listening')
  const { port } = accepted.address() as AddressInfo
  accepted.on('connection', await second.receiveAt(`http://127.0.0.1:${port}`))
  const client = connect(port, '127.0.0.1')
  client.write(`GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`)
  expect(String(await once(client, 'data'))).toContain('HTTP/1.1 200 OK')
  const ended = once(client, 'close')
  client.resume()
  await second.close()
  await ended
  accepted.close()
})

test('refuses a schema that it would have to migrate, beside processes that use it', async () => {
  await app.sql`update migrations set checksum = checksum || 'x' where name = (select max(name) from migrations)`
  await expect(boot({ mayMigrate: false })).rejects.toThrow('another database schema than the running one')
  await app.sql`update migrations set checksum = rtrim(checksum, 'x') where checksum like '%x'`
})

describe('createApp', () => {
  test('fails on an endpoint without a handler and names it', async () => {
    const orphan = endpoint({
      method: 'GET',
      path: '/api/v1/orphan',
      summary: 'Has no handler',
      access: anonymous(),
      output: z.object({}),
    })
    onTestFinished(() => void endpoints.splice(endpoints.indexOf(orphan), 1))
    endpoints.push(orphan)
    await expect(boot()).rejects.toThrow('No handler for the endpoint GET /api/v1/orphan')
  })

  test('fails on a job without a handler and names it', async () => {
    const { name } = job('test.orphan', z.object({}))
    onTestFinished(() => void declaredJobs.delete(name))
    await expect(boot()).rejects.toThrow('No handler for the job test.orphan')
  })
})

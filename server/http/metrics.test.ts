import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '../../contract/index.ts'
import { buildTestApp, type Headers, type TestApp } from '../testing/test-app.ts'

const TOKEN = 'a token for the metrics'

let app: TestApp
let withToken: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  withToken = await buildTestApp({ env: { ATRIUM_METRICS_TOKEN: TOKEN } })
})
afterAll(() => Promise.all([app.close(), withToken.close()]))

const read = (from: TestApp, headers: Headers = {}) => from.request('GET', '/metrics', { headers })

/** With `fetch`, a test cannot set the host. */
const statusFor = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    get({ hostname, port, path: '/metrics', headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

describe('GET /metrics', () => {
  test('returns Prometheus text to a loopback client', async () => {
    const { status, headers } = await read(app)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/plain; version=0.0.4')
  })

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    'is NOT_FOUND through a local proxy that sends %s',
    async (name) => {
      const { status, body } = await read(app, { [name]: '203.0.113.9' })
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    },
  )

  test.each(['atrium.example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.5:3000'])(
    'is NOT_FOUND on a loopback connection for the host "%s", as a rebound name would send',
    async (host) => {
      expect(await statusFor(host)).toBe(404)
    },
  )

  test.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.1.2.3', '[::1]:3000'])(
    'returns the metrics for the host %s',
    async (host) => {
      expect(await statusFor(host)).toBe(200)
    },
  )

  test('requires the token if one is configured, and then accepts any client', async () => {
    expect((await read(withToken)).status).toBe(401)
    expect((await read(withToken, { authorization: 'Bearer another token' })).status).toBe(401)
    const headers = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' }
    expect((await read(withToken, headers)).status).toBe(200)
  })

  test('reports request durations by route and status, without paths or queries', async () => {
    const { client, headers } = await app.newUser()
    const { id } = await client.feedback.submit({ message: 'm' })
    await client.feedback.get({ id })
    await app.request('GET', '/api/v1/secret-path?token=secret', { headers })
    const { text } = await read(app)
    const count = 'atrium_http_request_duration_seconds_count'
    expect(text).toContain(`${count}{method="POST",route="/api/v1/feedback",status="201"} 1`)
    expect(text).toContain(`${count}{method="GET",route="/api/v1/feedback/:id",status="200"} 1`)
    expect(text).toContain(`${count}{method="GET",route="refused",status="404"}`)
    expect(text).not.toContain('secret')
    expect(text).not.toContain(id)
  })

  test('stays small after a client tries every route with every kind of error', async () => {
    const { headers } = await app.newUser()
    const before = (await read(app)).text.length
    const endpoints = Object.values(contract).flatMap((group) => Object.values(group))
    for (const { method, path } of endpoints as { method: string; path: string }[]) {
      const url = path.replaceAll(/:\w+/g, 'nothing')
      await app.request(method, `${url}?unknown=1`, { headers })
      await app.request(method, url)
    }
    expect((await read(app)).text.length - before).toBeLessThan(200_000)
  })

  test("reports jobs by task and state, and the oldest waiting job's age", async () => {
    const { client } = await app.newUser()
    await app.sql`delete from graphile_worker._private_jobs`
    expect((await read(app)).text).toMatch(/^atrium_jobs_lag_seconds 0$/m)
    await client.feedback.submit({ message: 'm' })
    await client.feedback.submit({ message: 'm' })
    await app.sql`update graphile_worker._private_jobs set run_at = now() - interval '1 hour'`
    const { text } = await read(app)
    expect(text).toContain('atrium_jobs{task="feedback.announce",state="waiting"} 2')
    const lag = Number(/^atrium_jobs_lag_seconds (.*)$/m.exec(text)![1])
    expect(Math.round(lag / 60)).toBe(60)
  })

  test('reports database connections and the event loop', async () => {
    const { text } = await read(app)
    expect(text).toMatch(/^atrium_database_connections\{state="active"\} [1-9]/m)
    expect(text).toMatch(/^atrium_database_connections_max 22$/m)
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m)
    expect(text).toMatch(/^process_resident_memory_bytes /m)
  })
})

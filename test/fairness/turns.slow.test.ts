import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTurns, type TurnKey } from '../../server/concurrency/turns.ts'
import { bearer, buildTestApp, type Headers, type TestApp } from '../../server/testing/test-app.ts'
import { createTenant, type Tenant } from './tenants.ts'

const GREEDY_REQUESTS = 200
const RUNNING_PER_KEY = 8
const NETWORK = 'network 127.0.0.0/24'

/** The names of the keys whose handlers have started, in order. Handlers wait until the test lets them continue. */
let started: string[] = []
let resume: PromiseWithResolvers<void> = Promise.withResolvers()
resume.resolve()

// A test takes longer than the time for which a key counts as active, and longer than a request may wait.
const turns = createTurns({ activeMs: Infinity, countedMs: Infinity, deadlineMs: Infinity })
const begin = async (key: TurnKey, signal?: () => AbortSignal) => {
  const release = await turns.begin(key, signal)
  started.push(key.name)
  await resume.promise
  return release
}

let app: TestApp
let greedy: Tenant
let quiet: Tenant
let fileHeaders: Headers
let fileId: string
let webhookId: string
beforeAll(async () => {
  app = await buildTestApp({ app: { turns: { begin } } })
  greedy = await createTenant(app)
  quiet = await createTenant(app)
  fileHeaders = bearer(await app.key(greedy.person, ['files:write']))
  const written = await app.as(fileHeaders).fileTexts.write({ name: 'notes.txt', text: 'hello' })
  fileId = written.id
  const owner = await app.newUser()
  const session = await app.withSession(await app.person(owner.org, { role: 'owner' }))
  webhookId = (await session.webhooks.create({ name: 'In', source: 'github' })).id
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.sql`delete from rate_limits`
  started = []
})

interface Row {
  name: string
  /** Sends one request of the greedy client. */
  send: () => Promise<{ status: number }>
  status: number
  /** Whose turns the requests take. */
  keyOf: () => string
}

const get = (path: string) => app.request('GET', path, { headers: greedy.headers })
const ofOrganization = () => greedy.org.id
const ofNetwork = () => NETWORK

const ROWS: Row[] = [
  {
    name: 'previews',
    send: () => app.request('GET', `/api/v1/files/${fileId}/preview`, { headers: fileHeaders }),
    status: 200,
    keyOf: ofOrganization,
  },
  {
    name: 'MCP calls',
    send: () =>
      app.request('POST', '/mcp', {
        headers: { ...greedy.headers, accept: 'application/json, text/event-stream' },
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'list_projects', arguments: {} },
        },
      }),
    status: 200,
    keyOf: ofOrganization,
  },
  {
    name: 'webhooks/verify',
    send: () =>
      app.request('POST', '/api/v1/webhooks/verify', {
        headers: greedy.headers,
        body: { secret: 'a secret of a sender', payload: '{}', headers: {} },
      }),
    status: 200,
    keyOf: ofOrganization,
  },
  { name: 'lists', send: () => get('/api/v1/projects'), status: 200, keyOf: ofOrganization },
  {
    name: 'writes',
    send: () =>
      app.request('PATCH', `/api/v1/projects/${greedy.id}`, {
        headers: greedy.headers,
        body: { description: 'More' },
      }),
    status: 200,
    keyOf: ofOrganization,
  },
  { name: 'search', send: () => get('/api/v1/search?q=plans'), status: 200, keyOf: ofOrganization },
  {
    name: 'unsigned telephony callbacks',
    send: () =>
      app.request('POST', '/api/v1/telephony/webhooks/voice', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'CallSid=CA1&From=%2B15550001&To=%2B15550002',
      }),
    status: 403,
    keyOf: ofNetwork,
  },
  {
    name: 'unsigned webhook events',
    send: () => app.request('POST', `/api/v1/webhooks/receive/${webhookId}`, { body: { n: 1 } }),
    status: 401,
    keyOf: ofNetwork,
  },
]

describe('200 waiting requests from one client', () => {
  test.each(ROWS)('let another organization start beside eight $name', async ({ send, status, keyOf }) => {
    resume = Promise.withResolvers()
    const requests = Promise.all(Array.from({ length: GREEDY_REQUESTS }, send))
    try {
      await expect
        .poll(() => turns.size().waiting, { timeout: 30_000 })
        .toBe(GREEDY_REQUESTS - RUNNING_PER_KEY)
      const read = quiet.client.projects.get({ id: quiet.id })
      await expect.poll(() => started).toContain(quiet.org.id)
      expect(started).toEqual([...Array(RUNNING_PER_KEY).fill(keyOf()), quiet.org.id])
      resume.resolve()
      await read
    } finally {
      resume.resolve()
    }
    expect(new Set((await requests).map((response) => response.status))).toEqual(new Set([status]))
    expect(turns.size()).toEqual({ running: 0, waiting: 0, keys: 0 })
  })
})

test('a request leaves the queue when its client disconnects', async () => {
  resume = Promise.withResolvers()
  const abort = new AbortController()
  const url = `${app.url}/api/v1/projects`
  const requests = Array.from({ length: 2 * RUNNING_PER_KEY }, () =>
    fetch(url, { headers: greedy.headers, signal: abort.signal }).catch(() => null),
  )
  await expect.poll(() => turns.size().waiting).toBe(RUNNING_PER_KEY)
  abort.abort()
  await expect.poll(() => turns.size().waiting).toBe(0)
  resume.resolve()
  await Promise.all(requests)
  await expect.poll(() => turns.size().running).toBe(0)
  expect(started).toHaveLength(RUNNING_PER_KEY)
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../../../client/client.ts'
import type { Contract } from '../../../../contract/index.ts'
import { startReceiver } from '../../../testing/fakes/receiver.ts'
import { captureLog } from '../../../testing/log.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const KEY = 'brave-very-secret-key-1234'

let app: TestApp
let vendor: Awaited<ReturnType<typeof startReceiver>>
let url: string
const log = captureLog()
beforeAll(async () => {
  vendor = await startReceiver()
  url = new URL(vendor.url).origin
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }, log: log.stream })
})
afterAll(async () => {
  await app.close()
  await vendor.close()
})

let admin: Client<Contract>
let member: Client<Contract>
let orgId: string
beforeEach(async () => {
  const org = await app.organization()
  orgId = org.id
  admin = await app.withSession(await app.person(org, { role: 'admin' }))
  member = await app.withSession(await app.person(org, { role: 'member' }))
  vendor.answer((_request, response) =>
    response.end(JSON.stringify({ web: { results: [{ title: 'A', url: 'https://example.com/' }] } })),
  )
})

const brave = () => ({ kind: 'brave' as const, url, apiKey: KEY })
const rejection = (path: string, message: string) => ({
  code: 'BAD_REQUEST',
  details: [{ path, message: expect.stringContaining(message) }],
})

describe('the web search provider', () => {
  test('is missing at first, and says who can set it', async () => {
    expect(await member.webSearch.get()).toEqual({
      provider: null,
      hint: expect.stringContaining('Settings → Web search'),
      limits: { searchesPerRun: 50, fetchesPerRun: 100 },
    })
    await expect(admin.webSearch.test()).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('is set, shown without its key, tested and removed', async () => {
    expect(await admin.webSearch.put(brave())).toMatchObject({
      settings: { kind: 'brave', url, engineId: null, hasKey: true, lastFour: '1234' },
      server: null,
    })
    expect(await member.webSearch.get()).toMatchObject({
      provider: { kind: 'brave', name: 'Brave Search', source: 'organization' },
      hint: null,
    })
    expect(await admin.webSearch.test()).toMatchObject({ ok: true, problem: null, resultCount: 1 })
    expect(vendor.requests.at(-1)!.headers['x-subscription-token']).toBe(KEY)
    expect(await admin.webSearch.remove()).toEqual({ deleted: true })
    expect(await admin.webSearch.settings()).toEqual({ settings: null, server: null })
  })

  test('keeps its key, but never for another server or provider', async () => {
    await admin.webSearch.put(brave())
    expect(await admin.webSearch.put({ kind: 'brave', url })).toMatchObject({ settings: { hasKey: true } })
    await expect(admin.webSearch.put({ kind: 'brave', url: `${url}/other` })).rejects.toMatchObject(
      rejection('body.apiKey', 'when the provider or URL changes'),
    )
    await expect(admin.webSearch.put({ kind: 'tavily' })).rejects.toMatchObject(
      rejection('body.apiKey', 'when the provider or URL changes'),
    )
    expect(await admin.webSearch.put({ kind: 'searxng', url })).toMatchObject({
      settings: { kind: 'searxng', hasKey: false, lastFour: null },
    })
  })

  test.each([
    [{ kind: 'searxng' as const }, 'body.url', 'is required for SearXNG'],
    [{ kind: 'exa' as const }, 'body.apiKey', 'is required for Exa'],
    [{ kind: 'google' as const, apiKey: KEY }, 'body.engineId', 'is required for Google'],
    [{ kind: 'searxng' as const, url: 'http://10.0.0.1/' }, 'body.url', 'must be a public URL'],
    [{ kind: 'searxng' as const, url: 'http://169.254.169.254/' }, 'body.url', 'must be a public URL'],
    [{ kind: 'searxng' as const, url: 'http://2852039166/' }, 'body.url', 'must be a public URL'],
    [{ kind: 'searxng' as const, url: 'file:///etc/passwd' }, 'body.url', 'must begin with'],
    [{ kind: 'searxng' as const, url: 'https://example.com/?q=1' }, 'body.url', 'must not have a query'],
  ])('refuses %o', async (settings, path, message) => {
    await expect(admin.webSearch.put(settings)).rejects.toMatchObject(rejection(path, message))
  })

  test('reports why its test fails', async () => {
    await admin.webSearch.put(brave())
    vendor.answer((_request, response) => response.writeHead(429).end(`no, ${KEY}`))
    expect(await admin.webSearch.test()).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^Brave Search could not search\. Its quota is used up/),
    })
  })

  test('is for admins to see and set', async () => {
    for (const attempt of [
      () => member.webSearch.settings(),
      () => member.webSearch.put(brave()),
      () => member.webSearch.remove(),
      () => member.webSearch.test(),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('belongs to one organization', async () => {
    await admin.webSearch.put(brave())
    const client = await app.withSession(await app.person(await app.organization(), { role: 'admin' }))
    expect(await client.webSearch.get()).toMatchObject({ provider: null })
    expect(await client.webSearch.settings()).toEqual({ settings: null, server: null })
    await client.webSearch.remove()
    expect(await member.webSearch.get()).toMatchObject({ provider: { kind: 'brave' } })
  })

  test('leaves its key in no log, audit entry or database column', async () => {
    await admin.webSearch.put(brave())
    await admin.webSearch.test()
    await admin.webSearch.remove()
    await admin.webSearch.put(brave())
    const entries = await app.sql<{ action: string; details: object }[]>`
      select action, details from audit where org_id = ${orgId} and action like 'web-search.%' order by id`
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['web-search.set', { provider: 'Brave Search', url }],
      ['web-search.removed', { provider: 'Brave Search' }],
      ['web-search.set', { provider: 'Brave Search', url }],
    ])
    const rows = await app.sql`select * from web_search_settings where org_id = ${orgId}`
    expect(JSON.stringify([rows, entries])).not.toContain(KEY)
    expect(log.lines.join('')).not.toContain(KEY)
  })
})

test('the operator’s provider serves organizations without their own, even on a private address', async () => {
  vendor.answer((_request, response) => response.end(JSON.stringify({ results: [] })))
  const own = await buildTestApp({ env: { ATRIUM_WEB_SEARCH: 'searxng', ATRIUM_WEB_SEARCH_URL: url } })
  try {
    const client = await own.withSession(await own.person(await own.organization(), { role: 'admin' }))
    expect(await client.webSearch.get()).toMatchObject({ provider: { kind: 'searxng', source: 'server' } })
    expect(await client.webSearch.settings()).toEqual({ settings: null, server: { kind: 'searxng' } })
    expect(await client.webSearch.test()).toMatchObject({ ok: true, resultCount: 0 })
    await expect(client.webSearch.put({ kind: 'searxng', url })).rejects.toMatchObject(
      rejection('body.url', 'must be a public URL'),
    )
  } finally {
    await own.close()
  }
})

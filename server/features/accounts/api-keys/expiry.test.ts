import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyAbilities } from '../../../../contract/accounts/key-abilities.ts'
import { SCOPE_ABILITIES, SCOPE_NAMES, type Scope } from '../../../../contract/accounts/scopes.ts'
import { endpoints } from '../../../../contract/index.ts'
import type { Caller } from '../../../context.ts'
import { permit } from '../../../endpoint/permit.ts'
import { ApiError } from '../../../errors.ts'
import { createMcpClient } from '../../../testing/clients/mcp.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { NO_SUSPENSIONS } from '../../../testing/fakes/suspensions.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { keyJobs } from './expiry.ts'

const DAY_S = 86_400

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true })
})
afterAll(() => app.close())

const inDays = (days: number) => new Date(app.clock.now().getTime() + days * DAY_S * 1000).toISOString()
const sweep = () => keyJobs[0]!.run(app.app.system(), {} as never)

async function createOwner() {
  const person = await app.person(await app.organization(), { role: 'owner', verified: true })
  return { person, browser: await app.withSession(person) }
}

/** Endpoints of every kind that a key can call. */
async function entryPoints(person: Person) {
  const { id } = await app.project(person)
  return {
    REST: '/api/v1/projects',
    'a file list': '/api/v1/files',
    'the event stream': '/api/v1/webhooks/events/live',
    'the canvas stream': `/api/v1/projects/${id}/live`,
    'an export': `/api/v1/projects/${id}/export`,
  }
}

describe('an expired key', () => {
  test('is UNAUTHORIZED with its expiry time over REST, MCP and streams, and works until then', async () => {
    const { person, browser } = await createOwner()
    const expiresAt = inDays(2)
    const created = await browser.apiKeys.create({ name: 'Short', scopes: SCOPE_NAMES, expiresAt })
    expect(created.expiresAt).toBe(expiresAt)
    const headers = bearer(created)
    const paths = await entryPoints(person)
    expect((await app.request('GET', paths.REST, { headers })).status).toBe(200)
    expect((await app.as(headers).deviceLogin.me()).key).toMatchObject({ expiresAt })

    app.clock.advance(2 * DAY_S)
    const message = `The API key expired at ${expiresAt}: create another one in the dashboard`
    for (const [name, path] of Object.entries(paths)) {
      const { status, body } = await app.request('GET', path, { headers })
      expect([status, body.error.code, body.error.message], name).toEqual([401, 'UNAUTHORIZED', message])
      expect(body.error.details, name).toEqual({ reason: 'key_expired' })
    }
    const overMcp = await createMcpClient(app, headers).send('tools/list')
    expect([overMcp.status, overMcp.body.error.message]).toEqual([401, message])
    expect(overMcp.headers.get('www-authenticate')).toContain('resource_metadata')
    // An expired key cannot revoke itself or be extended; its owner can revoke it.
    const revoked = await app.request('DELETE', `/api/v1/api-keys/${created.id}`, { headers })
    expect(revoked.status).toBe(401)
    const later = (await app.withSession(person)).apiKeys
    await expect(later.update({ id: created.id, expiresAt: null } as never)).rejects.toMatchObject({
      message: 'body.expiresAt is not a known field',
    })
    await later.revoke({ id: created.id })
  })

  test('pauses a schedule it created', async () => {
    const { person, browser } = await createOwner()
    const key = await app.key(person, SCOPE_NAMES)
    const { id: projectId } = await app.project(person)
    const client = app.as(bearer(key))
    const { id } = await client.schedules.create({ projectId, message: 'Hello', cron: '0 * * * *' })
    await app.sql`update api_keys set expires_at = now() - interval '1 second' where id = ${key.id}`
    expect((await browser.schedules.get({ id })).paused).toMatchObject({ reason: 'key_expired' })
  })

  test.each([
    ['in the past', () => inDays(-1), 'body.expiresAt must be in the future'],
    ['of now', () => inDays(0), 'body.expiresAt must be in the future'],
    [
      'that is not a time',
      () => 'tomorrow',
      'body.expiresAt must be an ISO 8601 time, such as 2027-01-31T12:00:00Z',
    ],
  ])("can't be created with an expiry %s", async (_, expiresAt, message) => {
    const { browser } = await createOwner()
    await expect(browser.apiKeys.create({ name: 'x', expiresAt: expiresAt() })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message,
    })
  })

  test('is announced once to its owner seven days ahead, and leaves the list after 30 days', async () => {
    const { person, browser } = await createOwner()
    const created = await browser.apiKeys.create({ name: 'Nightly', expiresAt: inDays(8) })
    await app.key(person)
    const notices = async () =>
      (await (await app.withSession(person)).notifications.list({ kind: 'key' })).items.map(
        ({ title }) => title,
      )
    await sweep()
    expect(await notices()).toEqual([])
    app.clock.advance(1.5 * DAY_S)
    await Promise.all([sweep(), sweep()])
    await sweep()
    const title = `The API key “Nightly” expires on ${created.expiresAt!.slice(0, 10)}`
    expect(await notices()).toEqual([title])
    const mails = await app.sql`select subject from mails where recipient = ${person.email}`
    const subjects = mails.map(({ subject }) => subject).filter((subject) => subject.includes('expires'))
    expect(subjects).toEqual([expect.stringMatching(/^The API key “Nightly” expires on \w+ \d+, \d{4}$/)])

    const names = async () =>
      (await (await app.withSession(person)).apiKeys.list()).items.map(({ name }) => name)
    app.clock.advance(30 * DAY_S)
    await sweep()
    expect(await names()).toEqual(['test key', 'Nightly'])
    app.clock.advance(7 * DAY_S)
    await sweep()
    expect(await names()).toEqual(['test key'])
    const audit = await (await app.withSession(person)).organization.audit({ action: 'api-key.revoked' })
    expect(audit.items).toMatchObject([{ via: 'system', target: created.id, details: { name: 'Nightly' } }])
  })
})

describe('key usage', () => {
  test("is counted by day, with the last call's address, over REST and MCP, and hidden from others", async () => {
    const { person, browser } = await createOwner()
    const key = await app.key(person)
    const read = async () => (await browser.apiKeys.list()).items.find(({ id }) => id === key.id)!
    expect(await read()).toMatchObject({
      lastUsedAt: null,
      lastUsedAddress: null,
      callsPerDay: Array(14).fill(0),
    })
    for (let call = 0; call < 3; call++) await app.as(bearer(key)).feedback.list({})
    await createMcpClient(app, bearer(key)).send('tools/list')
    await expect.poll(async () => (await read()).callsPerDay.at(-1)).toBe(4)
    expect(await read()).toMatchObject({ lastUsedAddress: '127.0.0.1', lastUsedAt: expect.any(String) })
    const [rows] = await app.sql`select count(*)::int as count from api_key_days where key_id = ${key.id}`
    expect(rows!.count).toBe(1)

    app.clock.advance(DAY_S)
    const later = app.as(bearer(key))
    await later.feedback.list({})
    const current = async () =>
      (await (await app.withSession(person)).apiKeys.list()).items.find(({ id }) => id === key.id)!
        .callsPerDay
    await expect.poll(current).toEqual([...Array(12).fill(0), 4, 1])
    app.clock.advance(20 * DAY_S)
    await sweep()
    expect(await current()).toEqual(Array(14).fill(0))

    const stranger = await createOwner()
    await expect(stranger.browser.apiKeys.update({ id: key.id, name: 'Mine' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await stranger.browser.apiKeys.list()).items).toEqual([])
  })
})

test('a read-only key changes nothing over REST, MCP and the canvas', async () => {
  const { person } = await createOwner()
  const headers = bearer(await app.key(person, SCOPE_NAMES, { readOnly: true }))
  const { id } = await app.project(person)
  for (const [method, path] of [
    ['POST', '/projects'],
    ['POST', `/projects/${id}/blocks`],
    ['PATCH', `/projects/${id}/blocks/positions`],
    ['POST', '/files'],
    ['POST', '/notifications/read'],
  ] as const) {
    const { status, body } = await app.request(method, `/api/v1${path}`, { headers, body: {} })
    expect([status, body.error.details.reason], path).toEqual([403, 'read_only_key'])
  }
  const { tools } = await createMcpClient(app, headers).result('tools/list')
  expect(tools.length).toBeGreaterThan(0)
  const writing = tools.filter(
    (tool: { annotations: { readOnlyHint?: boolean } }) => !tool.annotations.readOnlyHint,
  )
  expect(writing.map(({ name }: { name: string }) => name)).toEqual(['run_action'])
  for (const tool of ['create_project', 'run_action'])
    await expect(
      createMcpClient(app, headers).call(
        tool,
        tool === 'run_action' ? { action: 'create_project', input: { name: 'No' } } : { name: 'No' },
      ),
    ).rejects.toThrow()
  expect((await app.as(headers).projects.list({})).items.map((project) => project.id)).toEqual([id])
})

test('the sentences about a key match the permissions the server grants', () => {
  const sets: Scope[][] = [[], ...SCOPE_NAMES.map((scope) => [scope]), ['files:write', 'api-keys:read']]
  for (const scopes of sets) {
    for (const readOnly of [false, true]) {
      const { can } = keyAbilities({ scopes, readOnly })
      for (const endpoint of endpoints) {
        const scope = endpoint.access.kind === 'member' ? endpoint.access.scope : undefined
        if (!scope || (readOnly && !scope.endsWith(':read'))) continue
        const ability = SCOPE_ABILITIES[scope]
        const isDescribed = can.includes(`${ability.charAt(0).toUpperCase()}${ability.slice(1)}.`)
        const isRead = endpoint.method === 'GET'
        if (readOnly && !isRead) continue
        expect(isDescribed, `${scope} of ${scopes.join()}, read-only: ${readOnly}`).toBe(
          isPermitted(endpoint, scopes, readOnly),
        )
      }
    }
  }
})

function isPermitted(endpoint: (typeof endpoints)[number], scopes: Scope[], readOnly: boolean): boolean {
  const caller: Caller = {
    via: 'key',
    credentialId: 'key',
    userId: 'user',
    orgId: 'org',
    workspaceId: null,
    role: 'owner',
    operator: false,
    scopes,
    readOnly,
    stepUpUntil: null,
    stepUpMethods: [],
  }
  try {
    permit(
      endpoint,
      { caller, params: {}, query: { permanent: 'false' } },
      { now: new Date(), suspensions: NO_SUSPENSIONS },
    )
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

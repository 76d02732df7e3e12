import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../../../contract/accounts/scopes.ts'
import { waitForBlockedBackends, whileLocked } from '../../../testing/locks.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

async function createKeyHolder(options: { role?: 'owner' | 'admin' | 'member'; scopes?: Scope[] } = {}) {
  const org = await app.organization()
  const person = await app.person(org, options)
  const key = await app.key(person, options.scopes ?? ['models:read', 'files:read'])
  const steppedUp = cookie(await app.session(person))
  const plain = cookie(await app.session(person, { steppedUp: false }))
  return { org, person, key, steppedUp, plain }
}

const change = (id: string, headers: Headers, body: unknown) =>
  app.request('PATCH', `/api/v1/api-keys/${id}`, { headers, body })

const scopesOf = async (id: string) =>
  (await app.sql<{ scopes: string[] }[]>`select scopes from api_keys where id = ${id}`)[0]!.scopes

async function countWaiting() {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row!.count
}

describe('PATCH /api-keys/:id', () => {
  test('renames without step-up and returns the key as listed', async () => {
    const { key, plain } = await createKeyHolder()
    const { status, body } = await change(key.id, plain, { name: ' Renamed ' })
    const listed = (await app.request('GET', '/api/v1/api-keys', { headers: plain })).body.data.items[0]
    expect([status, body]).toEqual([200, { success: true, data: listed }])
    expect(listed).toEqual({
      id: key.id,
      name: 'Renamed',
      prefix: 'atrium_test_',
      lastFour: key.key.slice(-4),
      scopes: ['models:read', 'files:read'],
      readOnly: false,
      expiresAt: null,
      lastUsedAt: null,
      lastUsedAddress: null,
      callsPerDay: Array(14).fill(0),
      createdAt: expect.any(String),
    })
  })

  test.each<[Scope[], number]>([
    [['api-keys:write'], 200],
    [['terminal'], 200],
    [['api-keys:read'], 403],
    [['models:read', 'files:write'], 403],
  ])('responds to a rename by a key with the scopes %j with %i', async (scopes, expected) => {
    const { person, key } = await createKeyHolder()
    const { status, body } = await change(key.id, bearer(await app.key(person, scopes)), { name: 'By key' })
    expect(status).toBe(expected)
    if (expected === 403)
      expect(body.error.details).toEqual({ reason: 'missing_scope', required: ['api-keys:write'] })
  })

  test('changes scopes, alone or with the name, for a browser session with step-up', async () => {
    const { key, steppedUp } = await createKeyHolder()
    const scopesOnly = await change(key.id, steppedUp, { scopes: ['files:write', 'files:write'] })
    expect(scopesOnly.body.data).toMatchObject({ name: 'test key', scopes: ['files:write'] })
    const both = await change(key.id, steppedUp, { name: 'Both', scopes: [] })
    expect(both.body.data).toMatchObject({ name: 'Both', scopes: [] })
  })

  test("applies changed scopes to the key's next request", async () => {
    const { key, steppedUp } = await createKeyHolder()
    const list = () => app.request('GET', '/api/v1/api-keys', { headers: bearer(key) })
    expect((await list()).status).toBe(403)
    await change(key.id, steppedUp, { scopes: ['api-keys:read'] })
    expect((await list()).status).toBe(200)
  })

  test('refuses changed scopes without step-up and changes nothing, including the name', async () => {
    const { key, plain } = await createKeyHolder()
    const { status, body } = await change(key.id, plain, { name: 'Sneaked in', scopes: ['terminal'] })
    expect([status, body.error.code, body.error.details.reason]).toEqual([
      403,
      'FORBIDDEN',
      'step_up_required',
    ])
    const [item] = (await app.as(plain).apiKeys.list()).items
    expect(item).toMatchObject({ name: 'test key', scopes: ['models:read', 'files:read'] })
  })

  test.each([[['files:read', 'models:read']], [['models:read', 'files:read', 'models:read']]])(
    'needs no step-up for the same scopes written as %j',
    async (scopes) => {
      const { key, plain } = await createKeyHolder()
      const { status, body } = await change(key.id, plain, { scopes })
      expect([status, body.data.scopes]).toEqual([200, ['models:read', 'files:read']])
    },
  )

  test("refuses an API key that extends its own or another key's scopes", async () => {
    const { person } = await createKeyHolder({ role: 'owner' })
    const key = await app.key(person, ['terminal', 'api-keys:write'])
    const other = await app.key(person, ['models:read'])
    for (const { id } of [key, other]) {
      const { status, body } = await change(id, bearer(key), { scopes: ['billing:machine:charge'] })
      expect([status, body.error.details]).toEqual([403, { reason: 'browser_session_required' }])
    }
    expect([await scopesOf(key.id), await scopesOf(other.id)]).toEqual([
      ['terminal', 'api-keys:write'],
      ['models:read'],
    ])
  })

  test('lets owners and admins, but not members, allow a key to charge', async () => {
    const charging = { scopes: ['billing:machine:charge'] }
    for (const role of ['owner', 'admin'] as const) {
      const { key, steppedUp } = await createKeyHolder({ role })
      expect((await change(key.id, steppedUp, charging)).status).toBe(200)
    }
    const { key, steppedUp } = await createKeyHolder()
    const { status, body } = await change(key.id, steppedUp, charging)
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect(await scopesOf(key.id)).toEqual(['models:read', 'files:read'])
  })

  test.each([
    ['nothing to change', {}, 'body', 'must have a field to change'],
    ['an empty name', { name: ' ' }, 'body.name', 'must be 1 to 120 characters'],
    ['a name too long', { name: 'n'.repeat(121) }, 'body.name', 'must be 1 to 120 characters'],
    ['a field that cannot be changed', { prefix: 'x' }, 'body.prefix', 'is not a known field'],
    ['an unknown scope', { scopes: ['root'] }, 'body.scopes.0', expect.stringContaining('must be one of')],
    ['no list of scopes', { scopes: 'terminal' }, 'body.scopes', 'must be an array'],
  ])('is BAD_REQUEST with %s', async (_, input, path, message) => {
    const { key, steppedUp } = await createKeyHolder()
    const { status, body } = await change(key.id, steppedUp, input)
    expect([status, body.error.code, body.error.details]).toEqual([
      400,
      'BAD_REQUEST',
      expect.arrayContaining([{ path, message }]),
    ])
  })

  test("is NOT_FOUND for a revoked, unknown or malformed key, or another user's or organization's", async () => {
    const { org, person, key, steppedUp } = await createKeyHolder()
    const owner = cookie(await app.session(await app.person(org, { role: 'owner' })))
    const otherOrgSession = cookie(
      await app.session(await app.join(person, await app.organization(), 'owner')),
    )
    const revoked = await app.key(person)
    await app.as(steppedUp).apiKeys.revoke({ id: revoked.id })
    const attempts: [string, Headers][] = [
      [key.id, owner],
      [key.id, otherOrgSession],
      [revoked.id, steppedUp],
      ['01890000-0000-7000-8000-000000000000', steppedUp],
      ['nonsense', steppedUp],
    ]
    for (const [id, headers] of attempts) {
      const { status, body } = await change(id, headers, { name: 'Mine now', scopes: [] })
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect(await scopesOf(key.id)).toEqual(['models:read', 'files:read'])
  })

  test("doesn't restore removed scopes on a concurrent rename", async () => {
    const { key, steppedUp, plain } = await createKeyHolder({ scopes: ['terminal'] })
    const requests = await whileLocked(app.sql, 'audit', async () => {
      const narrowing = change(key.id, steppedUp, { scopes: ['models:read'] })
      await waitForBlockedBackends(app.sql)
      // Other transactions read the old scopes until the change commits.
      const renaming = change(key.id, plain, { name: 'Late' })
      await expect.poll(countWaiting).toBe(2)
      return [narrowing, renaming]
    })
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200])
    expect(await scopesOf(key.id)).toEqual(['models:read'])
  })

  test('records the change in the audit log', async () => {
    const { person, key, steppedUp } = await createKeyHolder()
    await change(key.id, steppedUp, { name: 'Named' })
    await change(key.id, steppedUp, { scopes: ['terminal'] })
    const entries = await app.sql`
      select action, via, target, details from audit where user_id = ${person.id} order by id`
    const entry = { action: 'api-key.updated', via: 'session', target: key.id }
    expect(entries).toEqual([
      { ...entry, details: { name: 'Named' } },
      { ...entry, details: { scopes: 'terminal' } },
    ])
  })
})

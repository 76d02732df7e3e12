import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../../database/database.ts'
import { inTurns } from '../../../../jobs/claim-fairly.ts'
import { startOAuthService } from '../../../../testing/fakes/oauth-service.ts'
import { buildTestApp, cookie, type TestApp } from '../../../../testing/test-app.ts'
import { openConnection, reportFailure } from '../connections.ts'
import { claimDue, LEASE_MS } from './lease-queries.ts'
import { refresh } from './refresh.ts'
import { refreshDue } from './refresh-loop.ts'

let service: Awaited<ReturnType<typeof startOAuthService>>
let app: TestApp

beforeAll(async () => {
  service = await startOAuthService()
  app = await buildTestApp({
    env: {
      ATRIUM_CONNECTOR_GITHUB_URL: service.url,
      ATRIUM_CONNECTOR_GITHUB_CLIENT_ID: 'client',
      ATRIUM_CONNECTOR_GITHUB_CLIENT_SECRET: 'client-secret-value',
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1',
    },
  })
})
beforeEach(() => {
  service.behave({})
  app.clock.reset()
})
afterAll(async () => {
  await app.close()
  await service.close()
})

const connectors = () => ({
  github: {
    client: { id: 'client', secret: 'client-secret-value' },
    url: service.url,
    isDisabled: false,
    variables: [],
  },
})
const deps = () => ({ ...app.app.system(), connectors: connectors() })

async function connect() {
  const { org, person } = await app.newUser({ role: 'owner' })
  const session = await app.session(person)
  const post = (path: string, body: object) => app.request('POST', path, { headers: cookie(session), body })
  const started = await post('/api/v1/connections', { connectorSlug: 'github' })
  const flow = started.headers.getSetCookie()[0]!.split(';')[0]
  const headers = { cookie: `${session.cookie}; ${flow}` }
  const { pathname, search } = service.approve(started.body.oauthUrl)
  await app.request('GET', pathname + search, { headers })
  const id = started.body.connection.id as string
  const read = async () => (await app.request('GET', `/api/v1/connections/${id}`, { headers })).body
  const row = async () => {
    const [found] = await app.sql`
      select c.*, s.previous_sealed from connections c left join connection_secrets s on s.connection_id = c.id
      where c.id = ${id}`
    return found!
  }
  return {
    orgId: org.id,
    id,
    read,
    row,
    due: async () => ({ orgId: org.id, id, generation: (await row()).generation }),
  }
}

const claim = () => {
  const now = app.clock.now()
  return claimDue(app.sql, inTurns({ now, limit: 100, leasedUntil: new Date(now.getTime() + LEASE_MS) }))
}

/** The work of the loop when the connection is due. */
async function runDue(id: string): Promise<void> {
  const due = await claim()
  for (const each of due.filter((one) => one.id === id)) await refreshDue(deps(), each)
}

describe('a refresh', () => {
  test('is due 15 minutes before the tokens expire, and stores new tokens beside the previous ones', async () => {
    const connection = await connect()
    const { row, id, orgId } = connection
    const before = await openConnection(deps(), orgId, id)
    app.clock.advance(44 * 60)
    await runDue(id)
    expect((await row()).generation).toBe(1)
    app.clock.advance(2 * 60)
    await runDue(id)
    expect(await row()).toMatchObject({
      generation: 2,
      refreshing_until: null,
      previous_sealed: expect.any(String),
    })
    const after = await openConnection(deps(), orgId, id)
    expect(after.credentials.accessToken).not.toBe(before.credentials.accessToken)
    expect((await connection.read()).lastRefreshAt).not.toBeNull()
  })

  test("happens daily for tokens without an expiry, and keeps a refresh token that doesn't rotate", async () => {
    service.behave({ expiresIn: undefined, rotates: false })
    const { row, id } = await connect()
    expect((await row()).expires_at).toBeNull()
    app.clock.advance(23 * 3600)
    await runDue(id)
    expect((await row()).generation).toBe(1)
    for (const generation of [2, 3]) {
      app.clock.advance(25 * 3600)
      await runDue(id)
      expect((await row()).generation).toBe(generation)
    }
  })

  test('reaches the provider once when ten processes start it concurrently', async () => {
    const { orgId, id, due } = await connect()
    const seen = await due()
    const before = service.refreshes()
    const pools = Array.from({ length: 10 }, () => openDatabase(app.connection, 'test'))
    const outcomes = await Promise.all(
      pools.map((sql) => refresh({ ...deps(), sql: sql as never }, seen, true)),
    )
    expect(outcomes).toEqual(Array(10).fill('refreshed'))
    expect(service.refreshes() - before).toBe(1)
    expect((await due()).generation).toBe(seen.generation + 1)
    await Promise.all(pools.map((sql) => sql.end()))
    expect(await openConnection(deps(), orgId, id)).toMatchObject({ generation: seen.generation + 1 })
  })

  test('backs off after network or provider failures, and never expires the connection', async () => {
    const { row, id, read, orgId } = await connect()
    app.clock.advance(50 * 60)
    const waits: number[] = []
    for (const fault of ['unavailable', 'redirect', 'invalid_client'] as const) {
      service.behave({ fault })
      await runDue(id)
      const wait = Date.parse((await row()).refresh_due_at) - app.clock.now().getTime()
      waits.push(Math.round(wait / 30_000))
      app.clock.advance(wait / 1000 + 1)
    }
    expect(waits).toEqual([1, 2, 4])
    expect(await read()).toMatchObject({ status: 'active' })
    app.clock.advance(3600)
    await expect(openConnection(deps(), orgId, id)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      details: { reason: 'connection_not_refreshed' },
    })
    service.behave({})
    app.clock.advance(3600)
    expect(await openConnection(deps(), orgId, id)).toMatchObject({ generation: 2 })
  })

  test("recovers within the provider's reuse window if its response is lost", async () => {
    const { row, id } = await connect()
    app.clock.advance(50 * 60)
    service.behave({ fault: 'cut', reuses: 1 })
    await runDue(id)
    expect(await row()).toMatchObject({ generation: 1, status: 'active', refresh_failures: 1 })
    service.behave({ reuses: 1 })
    app.clock.advance(60)
    await runDue(id)
    expect(await row()).toMatchObject({ generation: 2, status: 'active', refresh_failures: 0 })
  })

  test('ends as expired, with one event, if its response is lost and there is no reuse window', async () => {
    const { row, id, orgId, read } = await connect()
    app.clock.advance(50 * 60)
    service.behave({ fault: 'cut' })
    await runDue(id)
    service.behave({})
    app.clock.advance(60)
    await runDue(id)
    expect(await read()).toMatchObject({ status: 'expired', statusReason: expect.stringContaining('GitHub') })
    expect((await row()).refresh_due_at).toBeNull()
    const events = await app.sql`select from events where org_id = ${orgId} and type = 'connection.expired'`
    expect(events).toHaveLength(1)
  })

  test('is repeated when its lease ends if the process was killed before storing the response', async () => {
    const { row, id, due } = await connect()
    app.clock.advance(50 * 60)
    const [claimed] = (await claim()).filter((one) => one.id === id)
    expect(claimed).toEqual(await due())
    // The killed process received new tokens: the provider has rotated, and nothing is stored.
    service.behave({ fault: 'cut', reuses: 1 })
    await refresh(
      { ...deps(), sql: app.sql, now: () => new Date(app.clock.now().getTime() + 61_000) } as never,
      claimed!,
    )
    service.behave({ reuses: 1 })
    await runDue(id)
    expect((await row()).generation).toBe(1)
    app.clock.advance(180)
    await runDue(id)
    expect(await row()).toMatchObject({ generation: 2, status: 'active' })
  })

  test("follows an access token's first refusal; refusing the new token checks the connection instead", async () => {
    const { orgId, id, read } = await connect()
    const used = await openConnection(deps(), orgId, id)
    app.clock.advance(120)
    service.revokeAccess()
    const reports = await Promise.all(
      [1, 2, 3].map(() => reportFailure(deps(), orgId, id, { means: 'expired' }, used)),
    )
    expect(reports).toEqual(Array(3).fill({ shouldRetry: true }))
    const renewed = await openConnection(deps(), orgId, id)
    expect(renewed.generation).toBe(used.generation + 1)
    expect(await reportFailure(deps(), orgId, id, { means: 'expired' }, renewed)).toEqual({
      shouldRetry: false,
    })
    expect(await read()).toMatchObject({ status: 'active' })
  })

  test('stores nothing if its connection is revoked meanwhile, and revokes the new tokens at the provider', async () => {
    const { id, due, row, orgId } = await connect()
    const { promise: gate, resolve } = Promise.withResolvers<void>()
    service.behave({ gate })
    const before = service.refreshes()
    const running = refresh(deps(), await due(), true)
    await expect.poll(() => service.refreshes()).toBe(before + 1)
    await app.sql`update connections set deleted_at = now(), status = 'revoked' where id = ${id}`
    await app.sql`delete from connection_secrets where connection_id = ${id}`
    resolve()
    await running
    expect(await row()).toMatchObject({ status: 'revoked', generation: 1, previous_sealed: null })
    const newToken = service.tokens().findLast((token) => token.startsWith('at-'))
    expect(service.revocations).toEqual([newToken])
    await expect(openConnection(deps(), orgId, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

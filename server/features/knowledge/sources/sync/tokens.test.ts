import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  buildSyncApp,
  readFolder,
  SYNC_SETTINGS,
  type SyncApp,
  syncAgain,
  untilQuiet,
} from '../../../../testing/clients/sync-app.ts'
import { insertConnection } from '../../../../testing/factories/connections.ts'

const DOCS = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${at}.md`, `Text ${at}`]))

let app: SyncApp
/** Each works for as many requests as `expireAfter` says. */
const tokens = { valid: 'at-0', uses: 0, refreshes: 0, isRefused: false, expireAfter: 5 }
beforeAll(async () => {
  app = await buildSyncApp(['dropbox'], {
    ATRIUM_CONNECTOR_DROPBOX_CLIENT_ID: 'client',
    ATRIUM_CONNECTOR_DROPBOX_CLIENT_SECRET: 'client-secret-value',
  })
})
afterAll(() => app.closeAll())

beforeEach(() => {
  const service = app.service('dropbox')
  service.docs.clear()
  for (const [path, content] of Object.entries(DOCS)) service.write(path, content)
  Object.assign(tokens, { valid: 'at-0', uses: 0, refreshes: 0, isRefused: false, expireAfter: 5 })
  service.failWith(({ url, headers, body }) => {
    if (url.pathname === '/oauth2/token') {
      const { grant_type: grant, refresh_token: token } = Object.fromEntries(new URLSearchParams(body))
      if (tokens.isRefused || grant !== 'refresh_token' || token !== 'rt-1')
        return { status: 400, body: { error: 'invalid_grant' } }
      Object.assign(tokens, { valid: `at-${++tokens.refreshes}`, uses: 0 })
      return { body: { access_token: tokens.valid, token_type: 'bearer', expires_in: 14_400 } }
    }
    const isValid = headers.authorization === `Bearer ${tokens.valid}` && ++tokens.uses <= tokens.expireAfter
    return isValid
      ? null
      : {
          status: 401,
          body: { error: { '.tag': 'expired_access_token' }, error_summary: 'expired_access_token/' },
        }
  })
})

async function createSource(expiresInS = 7200) {
  const { person } = await app.newUser({ role: 'owner' })
  const client = await app.withSession(person)
  const project = await app.project(person)
  const expiresAt = new Date(app.clock.now().getTime() + expiresInS * 1000)
  const connectionId = await insertConnection(app, person, 'dropbox', {
    credentials: { accessToken: 'at-0' },
    oauth: { clientId: 'client', refreshToken: 'rt-1', expiresAt },
  })
  const { id, folderId } = await client.sources.create({
    projectId: project.id,
    kind: 'dropbox',
    settings: SYNC_SETTINGS.dropbox(),
    connectionId,
    confirmReaders: true,
  })
  return { client, connectionId, id, read: () => readFolder(app, folderId) }
}

describe('an access token', () => {
  test('is renewed once when the service refuses it half-way, and the same sync goes on', async () => {
    tokens.expireAfter = 8
    const { client, id, read } = await createSource()
    const source = await untilQuiet(app, client, id)
    expect(source).toMatchObject({
      state: 'waiting',
      lastError: null,
      sync: { added: 8, outcome: 'succeeded' },
    })
    expect(await read()).toEqual(DOCS)
    expect(tokens.refreshes).toBeGreaterThan(0)
    expect((await client.sources.syncs({ id })).items).toHaveLength(1)
  })

  test('is renewed by the clock before a request is refused', async () => {
    tokens.expireAfter = 1000
    const { client, id, read } = await createSource(30)
    await untilQuiet(app, client, id)
    expect(tokens.refreshes).toBe(1)
    expect(await read()).toEqual(DOCS)
  })
})

describe('a refused refresh', () => {
  test('pauses the source and asks the owner to reconnect; then the sync goes on by itself', async () => {
    tokens.isRefused = true
    const { client, id, connectionId, read } = await createSource()
    const paused = await untilQuiet(app, client, id)
    expect(paused).toMatchObject({
      state: 'paused',
      paused: { reason: 'connection_expired', detail: expect.stringContaining('authorized again') },
    })
    expect(Object.keys(await read()).length).toBeLessThan(8)
    expect(await client.connections.get({ id: connectionId })).toMatchObject({ status: 'expired' })
    const [sync] = (await client.sources.syncs({ id })).items
    expect(sync).toMatchObject({ outcome: 'paused', error: expect.stringContaining('Dropbox') })

    // As after the owner's consent: the stored token works.
    app
      .service('dropbox')
      .failWith(({ url }) =>
        url.pathname === '/2/users/get_current_account'
          ? { body: { account_id: 'a1', name: { display_name: 'Ada' }, email: 'ada@example.com' } }
          : null,
      )
    await client.connections.check({ id: connectionId })
    await vi.waitFor(async () => expect((await client.sources.get({ id })).paused).toBeNull(), {
      timeout: 10_000,
    })
    expect(await untilQuiet(app, client, id)).toMatchObject({ state: 'waiting', lastError: null })
    expect(await read()).toEqual(DOCS)
  })

  test('is no refusal while the service only fails: it is tried again later, with the same connection', async () => {
    tokens.expireAfter = 1000
    const { client, id, connectionId } = await createSource()
    await untilQuiet(app, client, id)
    app.clock.advance(20_000)
    app.service('dropbox').failWith(() => ({ status: 503, body: {} }))
    expect(await syncAgain(app, client, id)).toMatchObject({ state: 'failing', paused: null })
    expect(await client.connections.get({ id: connectionId })).toMatchObject({ status: 'active' })
    app.clock.reset()
  })
})

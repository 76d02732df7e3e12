import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTurns, type TurnKey } from '../concurrency/turns.ts'
import { bearer, buildTestApp, type TestApp } from '../testing/test-app.ts'
import { createKnownCredentials } from './strangers.ts'

const turns = createTurns()
/** The keys that took a turn, in order. */
let keys: string[] = []
const begin = (key: TurnKey, signal?: () => AbortSignal) => {
  keys.push(key.name)
  return turns.begin(key, signal)
}
const NETWORK = 'network 127.0.0.0/24'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ app: { turns: { begin } } })
})
afterAll(() => app.close())
beforeEach(() => {
  keys = []
})

const get = (path: string, headers = {}) => app.request('GET', path, { headers })

describe('a request', () => {
  test.each([
    ['with a wrong key', '/api/v1/projects', { authorization: 'Bearer wrong' }, 401],
    ['with a wrong key for MCP', '/mcp', { authorization: 'Bearer wrong' }, 401],
    ['for the API reference', '/api/v1/openapi.json', {}, 200],
    ['for a document', '/docs', {}, 200],
    ['for an unknown path', '/api/v1/unknown', {}, 404],
  ])("%s takes its network's turn first", async (_case, path, headers, status) => {
    expect((await get(path, headers)).status).toBe(status)
    expect(keys).toEqual([NETWORK])
  })

  test("takes its network's turn once with a credential, then only its organization's", async () => {
    const person = await app.person(await app.organization())
    const headers = bearer(await app.key(person))
    const first = await get('/api/v1/projects', headers)
    const second = await get('/api/v1/projects', headers)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(keys).toEqual([NETWORK, person.orgId, person.orgId])
  })
})

describe('known credentials', () => {
  const request = (headers: Record<string, string> = {}) => ({ headers, cookies: {} }) as never
  const withKey = (key: string, headers = {}) => request({ authorization: `Bearer ${key}`, ...headers })
  const BY_KEY = { via: 'key' } as const
  const BY_LINK = { via: 'share' } as const

  test('are forgotten after ten minutes', () => {
    let now = 0
    const known = createKnownCredentials(() => now)
    known.accept(withKey('a'), BY_KEY)
    expect([known.has(withKey('a')), known.has(withKey('b'))]).toEqual([true, false])
    now = 600_001
    expect(known.has(withKey('a'))).toBe(false)
  })

  test('do not include a missing credential', () => {
    const known = createKnownCredentials()
    known.accept(request(), BY_KEY)
    expect(known.has(request())).toBe(false)
  })

  test('are those that authenticated, so one caller cannot add many', () => {
    const known = createKnownCredentials()
    known.accept(withKey('a', { 'x-guest-token': 'forged' }), BY_KEY)
    known.accept(request({ 'x-guest-token': 'guest' }), BY_LINK)
    expect(known.has(request({ 'x-guest-token': 'forged' }))).toBe(false)
    expect(known.has(request({ 'x-guest-token': 'guest' }))).toBe(true)
  })

  test('are the last 10,000 accepted', () => {
    const known = createKnownCredentials()
    for (let n = 0; n <= 10_000; n++) known.accept(withKey(`${n}`), BY_KEY)
    expect([0, 1, 10_000].map((n) => known.has(withKey(`${n}`)))).toEqual([false, true, true])
  })
})

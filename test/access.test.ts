import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access, Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { SCOPE_NAMES } from '../contract/scopes.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../server/testing/test-app.ts'

/** Every route × every kind of caller. What each may do is read off the contract; what happens is seen over HTTP. */

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

type Verdict =
  | 'passes'
  | 'unauthorized'
  | 'missing_scope'
  | 'browser_session_required'
  | 'step_up_required'
  | 'operator_required'

interface CallerKind {
  name: string
  headers: () => Promise<Headers>
  verdict: (access: Access) => Verdict
}

const always = (verdict: Verdict) => (access: Access) => (access.kind === 'public' ? 'passes' : verdict)

const sessionVerdict =
  (who: { operator: boolean; steppedUp: boolean }) =>
  (access: Access): Verdict => {
    if (access.kind === 'browser' && access.operator && !who.operator) return 'operator_required'
    if (access.kind === 'stepped-up' && !who.steppedUp) return 'step_up_required'
    return 'passes'
  }

const keyVerdict =
  (hasScopes: boolean) =>
  (access: Access): Verdict => {
    if (access.kind === 'public') return 'passes'
    if (access.kind !== 'member') return 'browser_session_required'
    return access.scope && !hasScopes ? 'missing_scope' : 'passes'
  }

async function someone(options: { operator?: boolean; role?: 'owner' | 'admin' | 'member' } = {}) {
  return app.person(await app.organization(), options)
}

const sessionOf = (operator: boolean, steppedUp: boolean) => async () =>
  cookie(await app.session(await someone({ operator, role: operator ? 'owner' : 'member' }), { steppedUp }))

const CALLERS: CallerKind[] = [
  { name: 'nobody', headers: async () => ({}), verdict: always('unauthorized') },
  {
    name: 'a made-up key',
    headers: async () => bearer({ key: `atrium_test_${'0'.repeat(48)}` }),
    verdict: always('unauthorized'),
  },
  {
    name: 'a malformed key',
    headers: async () => ({ authorization: 'Basic YTpi' }),
    verdict: always('unauthorized'),
  },
  {
    name: 'a made-up session',
    headers: async () => cookie({ cookie: 'atrium_session=nonsense' }),
    verdict: always('unauthorized'),
  },
  {
    name: 'a key with the default scope',
    headers: async () => bearer(await app.key(await someone())),
    verdict: keyVerdict(false),
  },
  {
    name: 'an owner’s key with every scope',
    headers: async () => bearer(await app.key(await someone({ role: 'owner' }), SCOPE_NAMES)),
    verdict: keyVerdict(true),
  },
  {
    name: 'an operator’s key',
    headers: async () => bearer(await app.key(await someone({ operator: true }), SCOPE_NAMES)),
    verdict: keyVerdict(true),
  },
  { name: 'a revoked key', headers: revokedKey, verdict: always('unauthorized') },
  {
    name: 'a member’s session',
    headers: sessionOf(false, false),
    verdict: sessionVerdict({ operator: false, steppedUp: false }),
  },
  {
    name: 'a member’s stepped-up session',
    headers: sessionOf(false, true),
    verdict: sessionVerdict({ operator: false, steppedUp: true }),
  },
  {
    name: 'an operator’s session',
    headers: sessionOf(true, false),
    verdict: sessionVerdict({ operator: true, steppedUp: false }),
  },
  {
    name: 'an operator’s stepped-up session',
    headers: sessionOf(true, true),
    verdict: sessionVerdict({ operator: true, steppedUp: true }),
  },
  {
    name: 'a key and an operator’s stepped-up session together',
    headers: keyAndSession,
    verdict: keyVerdict(true),
  },
  { name: 'an expired session', headers: expiredSession, verdict: always('unauthorized') },
]

describe.each(CALLERS)('$name', ({ headers, verdict }) => {
  test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s',
    async (_name, endpoint) => {
      const answer = await call(endpoint, await headers())
      expect(seen(answer)).toBe(verdict(endpoint.access))
    },
  )
})

test('another site cannot make a browser call any route that changes something', async () => {
  for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
    const session = cookie(await app.session(await someone({ operator: true, role: 'owner' })))
    const answer = await call(endpoint, {
      ...session,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    })
    expect([answer.status, answer.body.error.details?.reason], endpoint.path).toEqual([403, 'cross_site'])
  }
})

test('every route refuses a caller whose membership is gone', async () => {
  for (const endpoint of endpoints.filter(({ access }) => access.kind !== 'public')) {
    const person = await someone({ role: 'owner' })
    const key = await app.key(person, SCOPE_NAMES)
    await app.sql`delete from memberships where user_id = ${person.id}`
    expect((await call(endpoint, bearer(key))).status, endpoint.path).toBe(401)
  }
})

/** With ids that do not exist and a body that does not fit, so that whoever passes still changes nothing. */
function call(endpoint: Endpoint, headers: Headers) {
  const path = endpoint.path.replace(/:\w+/g, '01890000-0000-7000-8000-000000000000')
  const body = endpoint.method === 'GET' ? undefined : { surprise: true }
  return app.request(endpoint.method, path, { headers, body })
}

function seen({ status, body }: Awaited<ReturnType<typeof call>>): string {
  if (status === 401) return 'unauthorized'
  const reason = body?.error?.details?.reason
  return status === 403 && reason ? reason : 'passes'
}

async function revokedKey() {
  const key = await app.key(await someone(), SCOPE_NAMES)
  await app.sql`update api_keys set revoked_at = now() where id = ${key.id}`
  return bearer(key)
}

async function keyAndSession() {
  const person = await someone({ operator: true, role: 'owner' })
  return { ...bearer(await app.key(person, SCOPE_NAMES)), ...cookie(await app.session(person)) }
}

async function expiredSession() {
  const session = await app.session(await someone())
  await app.sql`update sessions set expires_at = now() - interval '1 second' where id = ${session.id}`
  return cookie(session)
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_NAMES, type Scope } from '../contract/accounts/scopes.ts'
import type { Access, Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { guestOf, sharedProject } from '../server/testing/factories/sharing.ts'
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
  | 'role_required'
  | 'view_only'

interface CallerKind {
  name: string
  headers: () => Promise<Headers>
  verdict: (access: Access) => Verdict
}

type Role = 'owner' | 'admin' | 'member'
const RANK = { member: 0, admin: 1, owner: 2 }

interface Somebody {
  role: Role
  operator?: boolean
}

const lacksRole = (access: Access, { role }: Somebody) =>
  access.kind !== 'public' &&
  access.kind !== 'signature' &&
  access.role !== undefined &&
  RANK[role] < RANK[access.role]

const sessionVerdict =
  (who: Somebody, steppedUp: boolean) =>
  (access: Access): Verdict => {
    if (access.kind === 'signature') return 'unauthorized'
    if (access.kind === 'browser' && access.operator && !who.operator) return 'operator_required'
    if (lacksRole(access, who)) return 'role_required'
    return access.kind === 'stepped-up' && !steppedUp ? 'step_up_required' : 'passes'
  }

const keyVerdict =
  (who: Somebody, hasScopes: boolean) =>
  (access: Access): Verdict => {
    if (access.kind === 'public') return 'passes'
    if (access.kind === 'signature') return 'unauthorized'
    if (access.kind !== 'member') return 'browser_session_required'
    if (access.scope && !hasScopes) return 'missing_scope'
    return lacksRole(access, who) ? 'role_required' : 'passes'
  }

const someone = async (who: Somebody) => app.person(await app.organization(), who)

const withSession = (name: string, who: Somebody, steppedUp: boolean): CallerKind => ({
  name: `${name}, ${steppedUp ? 'stepped up' : 'not stepped up'}`,
  headers: async () => cookie(await app.session(await someone(who), { steppedUp })),
  verdict: sessionVerdict(who, steppedUp),
})

const withKey = (name: string, who: Somebody, scopes?: Scope[]): CallerKind => ({
  name,
  headers: async () => bearer(await app.key(await someone(who), scopes)),
  verdict: keyVerdict(who, scopes !== undefined),
})

const MEMBER: Somebody = { role: 'member' }
const ADMIN: Somebody = { role: 'admin' }
const OWNER: Somebody = { role: 'owner' }
const OPERATOR: Somebody = { role: 'member', operator: true }

const refused = (name: string, headers: CallerKind['headers']): CallerKind => ({
  name,
  headers,
  verdict: (access) => (access.kind === 'public' ? 'passes' : 'unauthorized'),
})

/** The walk changes nothing, so that one link serves all of it. */
const withTicket = (allows: 'view' | 'edit', more: Headers = {}): CallerKind => {
  let ticket: Promise<Headers> | undefined
  const comeIn = async () => guestOf(app, (await sharedProject(app, { access: allows })).token)
  return {
    name: `a guest who may ${allows}`,
    headers: async () => {
      ticket ??= comeIn()
      return { ...(await ticket), ...more }
    },
    verdict: guestVerdict(allows),
  }
}

const guestVerdict =
  (allows: 'view' | 'edit') =>
  (access: Access): Verdict => {
    if (access.kind === 'public') return 'passes'
    if (access.kind !== 'member' || !access.share) return 'unauthorized'
    return access.share === 'edit' && allows === 'view' ? 'view_only' : 'passes'
  }

const CALLERS: CallerKind[] = [
  refused('nobody', async () => ({})),
  refused('a made-up key', async () => bearer({ key: `atrium_test_${'0'.repeat(48)}` })),
  refused('a malformed key', async () => ({ authorization: 'Basic YTpi' })),
  refused('a made-up session', async () => cookie({ cookie: 'atrium_session=nonsense' })),
  refused('a revoked key', revokedKey),
  refused('an expired session', expiredSession),
  withKey('a key with the default scope', MEMBER),
  withKey('a member’s key with every scope', MEMBER, SCOPE_NAMES),
  withKey('an owner’s key with every scope', OWNER, SCOPE_NAMES),
  withKey('an operator’s key with every scope', OPERATOR, SCOPE_NAMES),
  withSession('a member’s session', MEMBER, false),
  withSession('a member’s session', MEMBER, true),
  withSession('an admin’s session', ADMIN, false),
  withSession('an admin’s session', ADMIN, true),
  withSession('an owner’s session', OWNER, true),
  withSession('an operator’s session', OPERATOR, false),
  withSession('an operator’s session', OPERATOR, true),
  withTicket('view'),
  withTicket('edit'),
  refused('a guest with a forged ticket', async () => ({ 'x-share-ticket': forgedTicket() })),
  {
    ...withTicket('view', cookie({ cookie: 'atrium_session=nonsense' })),
    name: 'a guest who may view, with a session that has ended',
  },
  {
    name: 'a key and the ticket of a guest together',
    headers: async () => ({
      'x-share-ticket': forgedTicket(),
      ...bearer(await app.key(await someone(MEMBER), SCOPE_NAMES)),
    }),
    verdict: keyVerdict(MEMBER, true),
  },
  {
    name: 'a member’s session and a forged ticket together',
    headers: async () => ({
      'x-share-ticket': forgedTicket(),
      ...cookie(await app.session(await someone(MEMBER), { steppedUp: true })),
    }),
    verdict: (access) =>
      access.kind === 'member' && access.share ? 'unauthorized' : sessionVerdict(MEMBER, true)(access),
  },
  {
    name: 'a key and an owner’s stepped-up session together',
    headers: keyAndSession,
    verdict: keyVerdict(OWNER, true),
  },
]

/** An endpoint that asks for more where its query says so is walked twice, each time as what it then is. */
const walked = endpoints.flatMap(
  (endpoint): [name: string, endpoint: Endpoint, access: Access, query: string][] => {
    const { access } = endpoint
    const name = `${endpoint.method} ${endpoint.path}`
    if (access.kind !== 'member' || !access.steppedUpIf) return [[name, endpoint, access, '']]
    const { query, area } = access.steppedUpIf
    return [
      [name, endpoint, access, ''],
      [`${name} with ${query}=false`, endpoint, access, `?${query}=false`],
      [`${name} with ${query}=true`, endpoint, { kind: 'stepped-up', area }, `?${query}=true`],
    ]
  },
)

describe.each(CALLERS)('$name', ({ headers, verdict }) => {
  test.each(walked)('%s', async (_name, endpoint, access, query) => {
    // One address stands for all these callers, so that limits by address would stop the walk.
    await app.sql`delete from rate_limits`
    const answer = await call(endpoint, await headers(), query)
    expect(seen(answer)).toBe(verdict(access))
  })
})

test('permanent deletion is walked as a route for people who have just proved who they are', () => {
  expect(walked.map(([name, , { kind }]) => [name, kind])).toContainEqual([
    'DELETE /api/v1/files/:id with permanent=true',
    'stepped-up',
  ])
})

test('another site cannot make a browser call any route that changes something', async () => {
  for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
    const session = cookie(await app.session(await someone({ role: 'owner', operator: true })))
    const answer = await call(endpoint, {
      ...session,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    })
    const { error } = answer.body
    if (endpoint.errors === 'oauth')
      expect([answer.status, error], endpoint.path).toEqual([400, 'cross_site'])
    else expect([answer.status, error.details?.reason], endpoint.path).toEqual([403, 'cross_site'])
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

/**
 * With ids that do not exist and a body that does not fit, so that whoever passes still changes nothing; where a stream
 * would begin, with a query that does not fit.
 */
function call(endpoint: Endpoint, headers: Headers, query = '') {
  const asked = endpoint.bytes === 'events' ? '?surprise=true' : query
  const path = endpoint.path.replace(/:\w+/g, '01890000-0000-7000-8000-000000000000') + asked
  const body = endpoint.method === 'GET' ? undefined : { surprise: true }
  return app.request(endpoint.method, path, { headers, body })
}

function seen({ status, body }: Awaited<ReturnType<typeof call>>): string {
  const reason = body?.error?.details?.reason
  // A receiver lets everybody in, and then asks for a proof of its own.
  if (status === 401 && reason !== 'missing_signature') return 'unauthorized'
  return status === 403 && reason ? reason : 'passes'
}

const forgedTicket = () => `01890000-0000-7000-8000-000000000000.1.9999999999999.${'A'.repeat(43)}`

async function revokedKey() {
  const key = await app.key(await someone(MEMBER), SCOPE_NAMES)
  await app.sql`update api_keys set revoked_at = now() where id = ${key.id}`
  return bearer(key)
}

async function keyAndSession() {
  const person = await someone({ role: 'owner', operator: true })
  return { ...bearer(await app.key(person, SCOPE_NAMES)), ...cookie(await app.session(person)) }
}

async function expiredSession() {
  const session = await app.session(await someone(MEMBER))
  await app.sql`update sessions set expires_at = now() - interval '1 second' where id = ${session.id}`
  return cookie(session)
}

import { SCOPE_NAMES, type Scope } from '../contract/accounts/scopes.ts'
import type { Access } from '../contract/endpoint.ts'
import { createSharedProject, guestHeaders } from '../server/testing/factories/sharing.ts'
import { bearer, cookie, type Headers, type TestApp } from '../server/testing/test-app.ts'
import {
  ADMIN,
  guestVerdict,
  keyVerdict,
  MEMBER,
  OPERATOR,
  OWNER,
  readOnlyVerdict,
  sessionVerdict,
  type User,
  type Verdict,
} from './access-verdicts.ts'

/** One kind of caller: its credentials, and its rights according to the contract. */
export interface CallerKind {
  name: string
  headers: (app: TestApp) => Promise<Headers>
  verdict: (access: Access, method: string) => Verdict
}

/** A user in an organization of their own. */
export const createUser = async (app: TestApp, user: User) => app.person(await app.organization(), user)

export const CALLERS: CallerKind[] = [
  refusedCaller('no credential', async () => ({})),
  refusedCaller('an unknown key', async () => bearer({ key: `atrium_test_${'0'.repeat(48)}` })),
  refusedCaller('a malformed key', async () => ({ authorization: 'Basic YTpi' })),
  refusedCaller('an unknown session', async () => cookie({ cookie: 'atrium_session=nonsense' })),
  refusedCaller('a revoked key', revokedKey),
  refusedCaller('an expired key', expiredKey),
  refusedCaller('an expired session', expiredSession),
  withKey('a key with the default scope', MEMBER),
  withKey('a member’s key with every scope', MEMBER, SCOPE_NAMES),
  withKey('an owner’s key with every scope', OWNER, SCOPE_NAMES),
  withKey('an operator’s key with every scope', OPERATOR, SCOPE_NAMES),
  {
    name: 'an owner’s read-only key with every scope',
    headers: async (app) =>
      bearer(await app.key(await createUser(app, OWNER), SCOPE_NAMES, { readOnly: true })),
    verdict: readOnlyVerdict,
  },
  withSession('a member’s session', MEMBER, false),
  withSession('a member’s session', MEMBER, true),
  withSession('an admin’s session', ADMIN, false),
  withSession('an admin’s session', ADMIN, true),
  withSession('an owner’s session', OWNER, true),
  withSession('an operator’s session', OPERATOR, false),
  withSession('an operator’s session', OPERATOR, true),
  asGuest('view'),
  asGuest('comment'),
  asGuest('edit'),
  refusedCaller('a guest with a forged token', async () => forgedGuestHeaders()),
  {
    ...asGuest('view', cookie({ cookie: 'atrium_session=nonsense' })),
    name: 'a guest who may view, with an unknown session',
  },
  {
    name: 'a key and a forged guest token',
    headers: async (app) => ({
      ...forgedGuestHeaders(),
      ...bearer(await app.key(await createUser(app, MEMBER), SCOPE_NAMES)),
    }),
    verdict: keyVerdict(MEMBER, true),
  },
  {
    name: 'a member’s session and a forged guest token',
    headers: async (app) => ({
      ...forgedGuestHeaders(),
      ...cookie(await app.session(await createUser(app, MEMBER), { steppedUp: true })),
    }),
    verdict: (access) =>
      access.kind === 'member' && access.share ? 'unauthorized' : sessionVerdict(MEMBER, true)(access),
  },
  {
    name: 'a key and an owner’s stepped-up session',
    headers: async (app) => {
      const user = await createUser(app, { role: 'owner', operator: true })
      return { ...bearer(await app.key(user, SCOPE_NAMES)), ...cookie(await app.session(user)) }
    },
    verdict: keyVerdict(OWNER, true),
  },
]

function refusedCaller(name: string, headers: CallerKind['headers']): CallerKind {
  return { name, headers, verdict: (access) => (access.kind === 'public' ? 'passes' : 'unauthorized') }
}

function withSession(name: string, user: User, steppedUp: boolean): CallerKind {
  return {
    name: `${name}, ${steppedUp ? 'stepped up' : 'not stepped up'}`,
    headers: async (app) => cookie(await app.session(await createUser(app, user), { steppedUp })),
    verdict: sessionVerdict(user, steppedUp),
  }
}

function withKey(name: string, user: User, scopes?: Scope[]): CallerKind {
  return {
    name,
    headers: async (app) => bearer(await app.key(await createUser(app, user), scopes ?? ['models:read'])),
    verdict: keyVerdict(user, scopes !== undefined),
  }
}

function asGuest(allows: 'view' | 'comment' | 'edit', extraHeaders: Headers = {}): CallerKind {
  return {
    name: `a guest who may ${allows}`,
    headers: async (app) => ({
      ...(await guestHeaders(app, (await createSharedProject(app, { access: allows })).token)),
      ...extraHeaders,
    }),
    verdict: guestVerdict(allows),
  }
}

const forgedGuestHeaders = () => ({
  'x-guest-token': `01890000-0000-7000-8000-000000000000.1.9999999999999.${'A'.repeat(43)}`,
})

async function revokedKey(app: TestApp) {
  const key = await app.key(await createUser(app, MEMBER), SCOPE_NAMES)
  await app.sql`update api_keys set revoked_at = now() where id = ${key.id}`
  return bearer(key)
}

async function expiredKey(app: TestApp) {
  const key = await app.key(await createUser(app, OWNER), SCOPE_NAMES)
  await app.sql`update api_keys set expires_at = now() - interval '1 second' where id = ${key.id}`
  return bearer(key)
}

async function expiredSession(app: TestApp) {
  const session = await app.session(await createUser(app, MEMBER))
  await app.sql`update sessions set expires_at = now() - interval '1 second' where id = ${session.id}`
  return cookie(session)
}

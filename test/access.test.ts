import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '../contract/accounts/scopes.ts'
import { agents } from '../contract/agents/agents.ts'
import { sessions } from '../contract/agents/sessions.ts'
import { voice } from '../contract/agents/voice.ts'
import { usage } from '../contract/billing/usage.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { memory } from '../contract/knowledge/memory.ts'
import { skills } from '../contract/knowledge/skills.ts'
import { organization } from '../contract/organizations/organization.ts'
import { tables } from '../contract/projects/tables.ts'
import { webhooks } from '../contract/webhooks/webhooks.ts'
import { bearer, cookie, type Headers, shareTestApp, type TestApp } from '../server/testing/test-app.ts'
import { CALLERS, type CallerKind, createUser } from './access-callers.ts'
import { accessRowsOf } from './access-rows.ts'
import { sources, textOf } from './architecture/imports.ts'

/**
 * Every route × every kind of caller. The expected results come from the contract, the actual ones from HTTP. The
 * requests name ids that do not exist and send invalid bodies, so they change nothing and the same credentials serve
 * every route; a route that takes neither, such as sign-out, gets credentials of its own.
 */

let app: TestApp
let credentials: Headers[]
async function issueCredentials() {
  // Guests open their links from one IP address, which is limited.
  await app.sql`delete from rate_limits`
  return Promise.all(CALLERS.map(({ headers }) => headers(app)))
}
beforeAll(async () => {
  app = await shareTestApp()
  credentials = await issueCredentials()
})

const ROWS = endpoints.flatMap((endpoint) =>
  accessRowsOf(endpoint).map(({ suffix, access, query }) => {
    const name = `${endpoint.method} ${endpoint.path}${suffix}`
    return [name, endpoint, access, query] as const
  }),
)

const byName = <T>(read: (caller: CallerKind, index: number) => T): Record<string, T> =>
  Object.fromEntries(CALLERS.map((caller, index) => [caller.name, read(caller, index)]))

describe('access matrix', () => {
  test.each(ROWS)(
    '%s admits and refuses each kind of caller as declared',
    async (_, endpoint, access, query) => {
      const changesNothing = endpoint.method === 'GET' || endpoint.body || endpoint.path.includes(':')
      const callerHeaders = changesNothing ? credentials : await issueCredentials()
      const verdicts: string[] = []
      // All these callers share one IP address, so a limit per IP address would refuse the later ones.
      if (endpoint.limit)
        for (const headers of callerHeaders) {
          await app.sql`delete from rate_limits`
          verdicts.push(verdictOf(await call(endpoint, headers, query)))
        }
      // In parallel: one after another, each waits for the database, which takes twice as long.
      else
        verdicts.push(
          ...(await Promise.all(callerHeaders.map((headers) => call(endpoint, headers, query)))).map(
            verdictOf,
          ),
        )
      expect(byName((_, index) => verdicts[index])).toEqual(
        byName(({ verdict }) => verdict(access, endpoint.method)),
      )
    },
  )

  test('has a row for permanent deletion, which requires step-up', () => {
    expect(ROWS.map(([name, , { kind }]) => [name, kind])).toContainEqual([
      'DELETE /api/v1/files/:id with permanent=true',
      'stepped-up',
    ])
  })
})

test('every route that serves file bytes requires a key with the scope files:read', () => {
  const documents: string[] = [
    agents.image.path,
    sessions.export.path,
    voice.speak.path,
    memory.export.path,
    skills.export.path,
    tables.export.path,
    usage.export.path,
    organization.exportAudit.path,
    webhooks.exportEvents.path,
  ]
  const fileRoutes = endpoints.filter(
    ({ access, bytes, path }) =>
      access.kind === 'member' && bytes && bytes !== 'events' && !documents.includes(path),
  )
  expect(fileRoutes.length).toBeGreaterThan(2)
  for (const { access, path } of fileRoutes) expect(access, path).toMatchObject({ scope: 'files:read' })
})

test("no route gives an operator another user's session", async () => {
  const operator = await createUser(app, { role: 'owner', operator: true })
  const session = cookie(await app.session(operator))
  const sessions = () => app.sql`select id from sessions where user_id <> ${operator.id} order by id`
  const before = await sessions()
  // Signing out or switching would end the session of the test.
  const excluded = ['/api/v1/auth/sign-out', '/api/v1/auth/sessions']
  const authenticated = endpoints.filter(
    ({ access, path }) => access.kind !== 'public' && !excluded.includes(path),
  )
  for (const endpoint of authenticated) {
    if (endpoint.limit) await app.sql`delete from rate_limits`
    const { headers } = await call(endpoint, session)
    const sessionCookies = headers.getSetCookie().filter((value) => /session=\w/.test(value))
    expect(
      sessionCookies.filter((value) => !value.startsWith(session.cookie!)),
      endpoint.path,
    ).toEqual([])
  }
  expect(await sessions()).toEqual(before)
  // Only these files, which verify a proof of the person, create sessions.
  const starters = sources.filter((file) => /\b(issue|create)Session\(\s*(inside|ctx)\b/.test(textOf(file)))
  expect(starters.toSorted()).toEqual([
    'server/features/accounts/accounts/sessions/sessions.ts',
    'server/features/accounts/accounts/setup/setup.ts',
    'server/features/accounts/accounts/sign-in/complete-sign-in.ts',
    'server/features/accounts/accounts/sign-in/second-factor.ts',
    'server/features/accounts/accounts/sign-in/sign-up.ts',
    'server/features/organizations/organizations/accept.ts',
    'server/features/projects/sharing/accept-invite.ts',
    'server/features/projects/sharing/confirm-join.ts',
  ])
})

test('every route that changes data or streams events refuses a cross-site browser request', async () => {
  const session = cookie(await app.session(await createUser(app, { role: 'owner', operator: true })))
  const refusing = endpoints.filter(
    ({ method, bytes, cors }) => (method !== 'GET' || bytes === 'events') && !cors,
  )
  for (const endpoint of refusing) {
    const response = await call(endpoint, {
      ...session,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    })
    const { error } = response.body
    if (endpoint.errors === 'oauth')
      expect([response.status, error], endpoint.path).toEqual([400, 'cross_site'])
    else expect([response.status, error.details?.reason], endpoint.path).toEqual([403, 'cross_site'])
  }
})

test('every route refuses a key if its user has lost the membership', async () => {
  const user = await createUser(app, { role: 'owner' })
  const key = await app.key(user, SCOPE_NAMES)
  await app.sql`delete from memberships where user_id = ${user.id}`
  for (const endpoint of endpoints.filter(({ access }) => access.kind !== 'public')) {
    expect(verdictOf(await call(endpoint, bearer(key))), endpoint.path).toBe('unauthorized')
  }
})

/** An endpoint that opens a stream gets an invalid query, so no stream opens. */
function call(endpoint: Endpoint, headers: Headers, query = '') {
  const search = endpoint.bytes === 'events' ? '?unknown=true' : query
  const path = endpoint.path.replace(/:\w+/g, '01890000-0000-7000-8000-000000000000') + search
  const body = endpoint.method === 'GET' ? undefined : { unknown: true }
  return app.request(endpoint.method, path, { headers, body })
}

const PROOF_REASONS = ['missing_signature', 'unknown_voice_agent']

function verdictOf({ status, body }: Awaited<ReturnType<typeof call>>): string {
  const reason = body?.error?.details?.reason
  // A receiver admits every caller, then verifies a signature.
  if (status === 401 && reason !== 'missing_signature') return 'unauthorized'
  // Carriers and voice agents get 403.
  if (status === 403 && PROOF_REASONS.includes(reason)) return 'unauthorized'
  return status === 403 && reason ? reason : 'passes'
}

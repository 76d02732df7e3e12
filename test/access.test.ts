import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '../contract/accounts/scopes.ts'
import { sessions } from '../contract/agents/sessions.ts'
import { usage } from '../contract/billing/usage.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { memory } from '../contract/knowledge/memory.ts'
import { skills } from '../contract/knowledge/skills.ts'
import { organization } from '../contract/organizations/organization.ts'
import { webhooks } from '../contract/webhooks/webhooks.ts'
import { bearer, cookie, type Headers, shareTestApp, type TestApp } from '../server/testing/test-app.ts'
import { CALLERS, createUser } from './access-callers.ts'
import { accessRowsOf } from './access-rows.ts'

/**
 * Every route × every kind of caller. The contract says what each may do; HTTP shows what happens. The requests name ids
 * that do not exist and send bodies that do not fit, so they change nothing and the same
 * credentials serve every route; a route that takes neither, such as sign-out, gets credentials of its own.
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

describe('the access matrix', () => {
  test.each(ROWS)(
    '%s admits and refuses each kind of caller as declared',
    async (_, endpoint, access, query) => {
      const changesNothing = endpoint.method === 'GET' || endpoint.body || endpoint.path.includes(':')
      const sent = changesNothing ? credentials : await issueCredentials()
      const verdicts: Record<string, string> = {}
      for (const [index, { name }] of CALLERS.entries()) {
        // All these callers share one IP address, so a limit by IP address would refuse the later ones.
        if (endpoint.limit) await app.sql`delete from rate_limits`
        verdicts[name] = verdictOf(await call(endpoint, sent[index]!, query))
      }
      expect(verdicts).toEqual(
        Object.fromEntries(CALLERS.map(({ name, verdict }) => [name, verdict(access, endpoint.method)])),
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

test('every route that serves the bytes of files requires a key with the scope files:read', () => {
  const documents: string[] = [
    sessions.export.path,
    memory.export.path,
    skills.export.path,
    usage.export.path,
    organization.exportAudit.path,
    webhooks.exportEvents.path,
  ]
  const served = endpoints.filter(
    ({ access, bytes, path }) =>
      access.kind === 'member' && bytes && bytes !== 'events' && !documents.includes(path),
  )
  expect(served.length).toBeGreaterThan(2)
  for (const { access, path } of served) expect(access, path).toMatchObject({ scope: 'files:read' })
})

test('every route that changes data refuses a cross-site request from a browser', async () => {
  const session = cookie(await app.session(await createUser(app, { role: 'owner', operator: true })))
  for (const endpoint of endpoints.filter(({ method, cors }) => method !== 'GET' && !cors)) {
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

test('every route refuses a key whose user has lost the membership', async () => {
  const user = await createUser(app, { role: 'owner' })
  const key = await app.key(user, SCOPE_NAMES)
  await app.sql`delete from memberships where user_id = ${user.id}`
  for (const endpoint of endpoints.filter(({ access }) => access.kind !== 'public')) {
    expect(verdictOf(await call(endpoint, bearer(key))), endpoint.path).toBe('unauthorized')
  }
})

/** An endpoint that opens a stream gets a query that does not fit, so no stream opens. */
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

import { beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '../contract/accounts/scopes.ts'
import type { Access, Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { sendHalf } from '../server/testing/clients/half-sent.ts'
import { createSharedProject, guestHeaders } from '../server/testing/factories/sharing.ts'
import { bearer, cookie, type Headers, shareTestApp, type TestApp } from '../server/testing/test-app.ts'
import { createUser } from './access-callers.ts'
import type { Verdict } from './access-verdicts.ts'

/**
 * Every route that changes data × every way to lose access: the caller is admitted, sends half of the body, loses
 * access, and sends the rest.
 */

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

interface Loss {
  name: string
  /** The endpoints that the caller may call before the loss and not after it. */
  applies: (access: Access, endpoint: Endpoint) => boolean
  expected: Verdict
  /** Creates a caller, and the change that ends its access. */
  begin: () => Promise<{ headers: Headers; lose: () => Promise<unknown> }>
}

const OWNER = { role: 'owner', operator: true } as const

const requiresCredential = ({ kind }: Access) => kind !== 'public' && kind !== 'signature'
/** Excludes endpoints that require a session under a condition. */
const acceptsKey = (access: Access) => access.kind === 'member' && !access.steppedUpIf

async function ownerSession() {
  const user = await createUser(app, OWNER)
  const session = await app.session(user)
  return { user, session, headers: cookie(session) }
}

async function ownerKey() {
  const user = await createUser(app, OWNER)
  const key = await app.key(user, SCOPE_NAMES)
  return { user, key, headers: bearer(key) }
}

/** Suspends the organization as an operator does, without its emails. */
async function suspend(orgId: string) {
  await app.sql`
    insert into suspensions (org_id, kind, reason, suspended_at) values (${orgId}, 'operator', 'Unpaid', now())`
  await app.app.system().suspensions.refresh()
}

/** Account and operator routes stay open. */
const isClosed = (access: Access, { whileSuspended }: Endpoint) =>
  requiresCredential(access) && !whileSuspended && !('operator' in access && access.operator)

const LOSSES: Loss[] = [
  {
    name: 'the organization of the session was suspended',
    applies: isClosed,
    expected: 'organization_suspended',
    begin: async () => {
      const { user, headers } = await ownerSession()
      return { headers, lose: () => suspend(user.orgId) }
    },
  },
  {
    name: 'the organization of the API key was suspended',
    applies: (access, endpoint) => isClosed(access, endpoint) && acceptsKey(access),
    expected: 'organization_suspended',
    begin: async () => {
      const { user, headers } = await ownerKey()
      return { headers, lose: () => suspend(user.orgId) }
    },
  },
  {
    name: 'the organization of the share link was suspended',
    applies: (access) => access.kind === 'member' && access.share !== undefined,
    expected: 'organization_suspended',
    begin: async () => {
      const { project, token } = await createSharedProject(app, { access: 'edit' })
      const headers = await guestHeaders(app, token)
      return { headers, lose: () => suspend(project.org.id) }
    },
  },
  {
    name: 'the session has ended',
    applies: requiresCredential,
    expected: 'unauthorized',
    begin: async () => {
      const { session, headers } = await ownerSession()
      return { headers, lose: () => app.sql`delete from sessions where id = ${session.id}` }
    },
  },
  {
    name: 'the user of the session was removed from the organization',
    applies: requiresCredential,
    expected: 'unauthorized',
    begin: async () => {
      const { user, headers } = await ownerSession()
      return { headers, lose: () => app.sql`delete from memberships where user_id = ${user.id}` }
    },
  },
  {
    name: 'the API key was revoked',
    applies: acceptsKey,
    expected: 'unauthorized',
    begin: async () => {
      const { key, headers } = await ownerKey()
      return { headers, lose: () => app.sql`update api_keys set revoked_at = now() where id = ${key.id}` }
    },
  },
  {
    name: 'the user of the API key was removed from the organization',
    applies: acceptsKey,
    expected: 'unauthorized',
    begin: async () => {
      const { user, headers } = await ownerKey()
      return { headers, lose: () => app.sql`delete from memberships where user_id = ${user.id}` }
    },
  },
  {
    name: 'the API key has lost its scopes',
    applies: (access) => access.kind === 'member' && !access.steppedUpIf && access.scope !== undefined,
    expected: 'missing_scope',
    begin: async () => {
      const { key, headers } = await ownerKey()
      return { headers, lose: () => app.sql`update api_keys set scopes = '{}' where id = ${key.id}` }
    },
  },
  {
    name: 'the role was lowered to member',
    applies: (access) => 'role' in access && access.role !== undefined,
    expected: 'role_required',
    begin: async () => {
      const { user, headers } = await ownerSession()
      return {
        headers,
        lose: () => app.sql`update memberships set role = 'member' where user_id = ${user.id}`,
      }
    },
  },
  {
    name: 'the user is no longer an operator',
    applies: (access) => access.kind === 'browser' && access.operator === true,
    expected: 'operator_required',
    begin: async () => {
      const { user, headers } = await ownerSession()
      return { headers, lose: () => app.sql`update users set is_operator = false where id = ${user.id}` }
    },
  },
  {
    name: 'the step-up window was closed',
    applies: (access) => access.kind === 'stepped-up',
    expected: 'step_up_required',
    begin: async () => {
      const { session, headers } = await ownerSession()
      return {
        headers,
        lose: () => app.sql`update sessions set step_up_until = null where id = ${session.id}`,
      }
    },
  },
  {
    name: 'the share link was revoked',
    applies: (access) => access.kind === 'member' && access.share !== undefined,
    expected: 'unauthorized',
    begin: async () => {
      const { project, browser, token } = await createSharedProject(app, { access: 'edit' })
      const headers = await guestHeaders(app, token)
      return { headers, lose: () => browser.sharing.unshare({ projectId: project.id }) }
    },
  },
  {
    name: 'the share link was changed to view access',
    applies: (access) => access.kind === 'member' && access.share !== undefined && access.share !== 'view',
    expected: 'view_only',
    begin: async () => {
      const { project, browser, token } = await createSharedProject(app, { access: 'edit' })
      const headers = await guestHeaders(app, token)
      return { headers, lose: () => browser.sharing.share({ projectId: project.id, access: 'view' }) }
    },
  },
]

const WRITES = endpoints.filter(({ method }) => method !== 'GET')
const PARALLEL_MAX = 40

describe('routes that change data', () => {
  test.each(LOSSES)('refuse a body completed only after $name', async ({ applies, expected, begin }) => {
    const affected = WRITES.filter((endpoint) => applies(endpoint.access, endpoint))
    expect(affected).not.toEqual([])
    for (let start = 0; start < affected.length; start += PARALLEL_MAX) {
      const routes = affected.slice(start, start + PARALLEL_MAX)
      await app.sql`delete from rate_limits`
      const { headers, lose } = await begin()
      const halves = await Promise.all(routes.map((route) => send(route, headers)))
      await lose()
      const responses = await Promise.all(halves.map(({ finish }) => finish()))
      const verdicts = routes.map((route, index) => [nameOf(route), verdictOf(responses[index]!)])
      expect(Object.fromEntries(verdicts)).toEqual(
        Object.fromEntries(routes.map((route) => [nameOf(route), expected])),
      )
    }
  })
})

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Names ids that do not exist and sends an invalid body: a route that admits the caller changes nothing. */
function send({ method, path }: Endpoint, headers: Headers) {
  const url = app.url + path.replace(/:\w+/g, '01890000-0000-7000-8000-000000000000')
  return sendHalf(url, { method, headers, body: '{"unknown":true}' })
}

function verdictOf({
  status,
  body,
}: {
  status: number
  body: { error?: { details?: { reason?: string } } }
}) {
  if (status === 401) return 'unauthorized'
  return (status === 403 && body.error?.details?.reason) || `status ${status}`
}

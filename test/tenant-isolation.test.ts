import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_NAMES } from '../contract/accounts/scopes.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { type Actor, createActor } from '../server/testing/clients/actor.ts'
import { buildWebhookApp, type WebhookApp } from '../server/testing/clients/webhook-app.ts'
import type { Person } from '../server/testing/factories/factories.ts'
import { bearer, cookie, type Headers } from '../server/testing/test-app.ts'
import { bodyOf, createResources, type Ids, NAME, pathOf, RESOURCES, TESTED_BY_FEATURE } from './resources.ts'

/** Calls every route to a resource as every kind of caller without access to it, with full rights in their own organization. */

let app: WebhookApp
let owner: Actor
/** The ids of a project in its own workspace and of its contents, of a webhook and of a received event. */
let ids: Ids
let slug: string
const callers = new Map<string, Headers>()

beforeAll(async () => {
  app = await buildWebhookApp()
  owner = await createActor(app)
  const { org } = owner
  const resources = await createResources(app, owner)
  ids = resources.ids
  slug = resources.slug
  const colleague = await app.person(org)
  const stranger = await app.person(await app.organization(), { role: 'owner' })
  await addCaller('a colleague outside the workspace', colleague)
  await addCaller('the owner of another organization', stranger)
})
afterAll(() => app.close())

async function addCaller(name: string, person: Person): Promise<void> {
  callers.set(`${name} with an API key`, bearer(await app.key(person, SCOPE_NAMES)))
  callers.set(`${name} with a browser session`, cookie(await app.session(person)))
}

const CALLERS = ['a colleague outside the workspace', 'the owner of another organization']
const CREDENTIALS = ['an API key', 'a browser session']

interface Route {
  endpoint: Endpoint
  idName: string
}

const routes = RESOURCES.flatMap(([pattern, idName, deniedCallers]) =>
  endpoints
    .filter(({ path }) => pattern.test(path))
    .map((endpoint): [string, Route, RegExp] => [
      `${endpoint.method} ${endpoint.path}`,
      { endpoint, idName },
      deniedCallers,
    ]),
)

test("every route to a record is called here or by its feature's tests", () => {
  const known = [...RESOURCES.map(([pattern]) => pattern), ...TESTED_BY_FEATURE]
  const unknown = endpoints
    .filter(({ path }) => path.includes(':') && !known.some((pattern) => pattern.test(path)))
    .map(({ method, path }) => `${method} ${path}`)
  expect(unknown, 'add the route to test/resources.ts').toEqual([])
})

const callerCases = CALLERS.flatMap((caller) =>
  CREDENTIALS.map((credential) => [caller, credential] as const),
)

describe.each(callerCases)('%s with %s', (caller, credential) => {
  const deniedRoutes = routes.filter(([, , deniedCallers]) => deniedCallers.test(caller))
  test.each(deniedRoutes)('cannot detect the resource through %s', async (_name, { endpoint, idName }) => {
    const headers = callers.get(`${caller} with ${credential}`)!
    for (const id of [ids[idName]!, ...(idName === 'projectId' ? [slug] : [])]) {
      const { status, text, body } = await call(endpoint, headers, id)
      const isRefusedToKeys = 'authorization' in headers && endpoint.access.kind !== 'member'
      if (isRefusedToKeys) expect(body.error.details.reason).toBe('browser_session_required')
      else expect([status, body.error.message]).toEqual([404, expect.stringMatching(/^[\w ]+ not found$/)])
      expect(text).not.toContain(NAME)
    }
  })
})

test('routes with the id in the query or body respond that the resource is not found', async () => {
  const headers = callers.get('the owner of another organization with a browser session')!
  const { projectId, blockId, runId, webhookId, fileId, numberId, ruleId } = ids
  const recipient = '+4915187654321'
  const requests: [string, string, unknown?][] = [
    ['DELETE', `/api/v1/files/${fileId}?permanent=true`],
    ['GET', `/api/v1/comments?target=block:${blockId}`],
    ['POST', '/api/v1/comments', { target: `file:${fileId}`, body: 'Hello' }],
    ['GET', `/api/v1/comments/people?target=run:${runId}`],
    ['GET', `/api/v1/comments/counts?projectId=${projectId}`],
    ['POST', '/api/v1/webhooks/test', { webhookId }],
    ['POST', '/api/v1/webhooks/verify', { webhookId, payload: '', headers: {} }],
    ['GET', `/api/v1/webhooks/events/live?webhookId=${webhookId}`],
    ['PATCH', '/api/v1/telephony/routing', { id: ruleId, enabled: false }],
    ['PATCH', `/api/v1/telephony/routing?id=${ruleId}`, { enabled: false }],
    ['DELETE', `/api/v1/telephony/routing?id=${ruleId}`],
    ['POST', '/api/v1/telephony/opt-outs', { numberId, recipient }],
    ['DELETE', `/api/v1/telephony/opt-outs?numberId=${numberId}&recipient=${encodeURIComponent(recipient)}`],
  ]
  for (const [method, path, body] of requests) {
    const response = await app.request(method, path, { headers, body })
    expect([response.status, response.body.error.message]).toEqual([
      404,
      expect.stringMatching(/^[\w ]+ not found$/),
    ])
  }
})

test('the owner finds every resource unchanged, so refusals are not due to missing resources', async () => {
  const headers = owner.headers
  const reads = routes.filter(([, { endpoint }]) => endpoint.method === 'GET' && endpoint.bytes !== 'events')
  for (const [name, { endpoint, idName }] of reads) {
    const { status, body } = await call(endpoint, headers, ids[idName]!)
    if (endpoint.path.endsWith('/archive')) expect(body.error.message).toContain('folder')
    else if (/\/(thumbnail|images)$/.test(endpoint.path)) expect(body.error.message).toMatch(/image/)
    else if (endpoint.path.endsWith('/targets')) expect(body.error.message).toContain('must be a link column')
    else if (endpoint.path === '/api/v1/files/:id/table') expect(body.error.message).toContain('workbook')
    else if (endpoint.path.endsWith('/oauth')) expect(body.error.message).toContain('does not use OAuth')
    else expect(status, name).toBe(endpoint.path.endsWith('/versions/:version') ? 302 : 200)
  }
  const { projectId, webhookId, fileId, agentId } = ids as { [name: string]: string }
  expect(await owner.client.projects.get({ id: projectId! })).toMatchObject({ name: NAME, status: 'active' })
  expect((await owner.client.canvas.list({ projectId: projectId! })).items).toHaveLength(3)
  expect(await owner.client.webhooks.get({ id: webhookId! })).toMatchObject({ name: NAME, status: 'active' })
  expect(await owner.client.agents.get({ id: agentId! })).toMatchObject({
    name: NAME,
    version: 1,
    archivedAt: null,
  })
  expect(await owner.client.files.get({ id: fileId! })).toMatchObject({
    name: `${NAME}.txt`,
    deletedAt: null,
  })
})

/** Sends a valid body, so that missing access is the only possible reason for a refusal. */
const call = (endpoint: Endpoint, headers: Headers, id: string) =>
  app.request(endpoint.method, pathOf(endpoint, ids, id), { headers, body: bodyOf(endpoint) })

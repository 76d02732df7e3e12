import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SCOPE_NAMES } from '../contract/accounts/scopes.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { lockState } from '../server/features/files/changes/file-state.ts'
import { sampleBody } from '../server/http/docs/sample.ts'
import type { JsonSchema } from '../server/http/docs/schema.ts'
import { newId } from '../server/security/ids.ts'
import { type Actor, createActor } from '../server/testing/clients/actor.ts'
import { connectApp } from '../server/testing/clients/oauth-app.ts'
import { buildWebhookApp, type WebhookApp } from '../server/testing/clients/webhook-app.ts'
import { insertEndpoint } from '../server/testing/factories/endpoints.ts'
import type { Person } from '../server/testing/factories/factories.ts'
import { createManifest } from '../server/testing/factories/manifests.ts'
import { insertTelephony } from '../server/testing/factories/telephony.ts'
import { upload } from '../server/testing/factories/uploads.ts'
import { bearer, cookie, type Headers } from '../server/testing/test-app.ts'

/** Calls every route to a resource as every kind of caller without access to it, with full rights in their own organization. */

const NAME = 'Secret plan'

type Ids = Record<string, string>

let app: WebhookApp
let owner: Actor
/** The ids of a project in its own workspace and of its contents, of a webhook and of a received event. */
let ids: Ids
let slug: string
const callers = new Map<string, Headers>()

beforeAll(async () => {
  app = await buildWebhookApp()
  owner = await createActor(app)
  const { org, person, client } = owner
  const workspaceId = await app.workspace(org)
  const project = await app.project(person, { name: NAME, workspaceIds: [workspaceId] })
  const projectId = project.id
  slug = project.slug
  const uploadOptions = { name: `${NAME}.txt`, fields: { parentId: project.folderId } }
  const fileId = (await upload(app, owner.headers, NAME, uploadOptions)).body.data.id as string
  const { id: blockId } = await client.canvas.create({ projectId, type: 'file', fileId, content: NAME })
  const { id: otherId } = await client.canvas.create({ projectId, type: 'note' })
  const { id: edgeId } = await client.canvas.connect({
    projectId,
    fromBlockId: blockId,
    toBlockId: otherId,
    label: NAME,
  })
  const { id: runId } = await client.runs.start({ projectId, title: NAME, status: 'running' })
  const { id: snapshotId } = await client.canvas.snapshot({ projectId, name: NAME })
  const { id: inviteId } = await client.sharing.invite({ projectId, role: 'viewer' })
  await client.sharing.share({ projectId })
  const hook = await client.webhooks.create({ name: NAME, description: NAME })
  const { id: agentId } = await client.agents.create({ name: NAME, prompt: NAME })
  const { id: commentId } = await client.comments.create({ target: `block:${blockId}`, body: NAME })
  const { id: scheduleId } = await client.schedules.create({
    projectId,
    agentId,
    name: NAME,
    message: NAME,
    cron: '0 9 * * 1',
  })
  const { id: skillId } = await client.skills.create({
    name: 'secret-plan',
    description: NAME,
    files: [{ path: 'a.md', text: NAME }],
  })
  const { id: memoryId } = await client.memory.create({ projectId, key: NAME, content: NAME })
  const { id: templateId } = await client.templates.create({ projectId, name: NAME })
  const { id: viewId } = await client.projectViews.create({ name: NAME, settings: {} })
  const response = await app.send(hook, { 'x-webhook-secret': hook.secret }, { id: NAME, type: 'x' })
  const eventId = response.body.eventId as string
  const { id: providerId } = await client.modelProviders.create({
    kind: 'openai',
    name: NAME,
    apiKey: 'sk-1234567890123456',
  })
  const server = { url: 'https://mcp.example.com/mcp', name: NAME, auth: 'oauth' as const }
  const { id: mcpServerId } = await client.mcpServers.create(server)
  const { id: connectionId } = (await client.connections.start({ connectorSlug: 'resend', label: NAME }))
    .connection
  const limits = { currency: 'usd', perPayment: '1', total: '5' }
  const { id: mandateId } = await client.mandates.create({
    holder: 'project',
    holderId: projectId,
    ...limits,
  })
  const { id: paymentId } = await client.machinePayments.create({
    ...{ amount: '9', currency: 'usd', reason: NAME, idempotencyKey: NAME },
  })
  await connectApp(app, person)
  const appId = (await client.connectedApps.list()).items[0]!.id
  const endpointIds = await insertEndpoint(app, person, { projectId, agentId, eventId, name: NAME })
  const phone = await insertTelephony(app, person, { projectId, agentId, name: NAME })
  const projectIds = { projectId, blockId, edgeId, runId, snapshotId, inviteId, workspaceId }
  const chatIds = await createChat(projectId, agentId)
  const change = await lockState(app.sql, org.id, fileId)
  await app.sql`
    insert into file_changes (org_id, run_id, file_id, before, after, created_at)
    values (${org.id}, ${chatIds.agentRunId!}, ${fileId}, ${app.sql.json(change as never)}, ${app.sql.json(change as never)},
      now())`
  ids = {
    ...projectIds,
    ...chatIds,
    ...endpointIds,
    ...phone.ids,
    seq: '1',
    version: '1',
    fileId,
    webhookId: hook.id,
    eventId,
    providerId,
    mcpServerId,
    connectionId,
    agentId,
    scheduleId,
    commentId,
    ...{ memoryId, templateId, viewId },
    skillId,
    mandateId,
    paymentId,
    appId,
  }

  const colleague = await app.person(org)
  const stranger = await app.person(await app.organization(), { role: 'owner' })
  await addCaller('a colleague outside the workspace', colleague)
  await addCaller('the owner of another organization', stranger)
})
afterAll(() => app.close())

/** A session with a run that has a step, an approval and a grant. */
async function createChat(projectId: string, agentId: string): Promise<Ids> {
  const { org, person, client } = owner
  const { id: sessionId, run } = await client.sessions.create({
    projectId,
    agentId,
    title: NAME,
    message: { content: NAME },
  })
  const [agentRunId, approvalId, grantId] = [run!.id, newId(), newId()]
  await app.sql`
    insert into run_steps (org_id, run_id, n, attempt, state, model, context, started_at)
    values (${org.id}, ${agentRunId}, 1, 1, 'streaming', 'test/echo', '{"tokens": 1, "fromSeq": 1, "toSeq": 1, "summaryId": null, "pinnedSeq": null, "isElided": true}', now())`
  await app.sql`
    insert into approvals (org_id, id, run_id, step, ordinal, project_id, session_id, agent_id, kind, tool, risk, input,
      summary, requested_at, expires_at)
    values (${org.id}, ${approvalId}, ${agentRunId}, 1, 1, ${projectId}, ${sessionId}, ${agentId}, 'approval', 'x', 'send',
      '{}', ${NAME}, now(), now() + interval '1 day')`
  await app.sql`
    insert into approval_grants (org_id, id, agent_id, tool, risk, granted_by, granted_at)
    values (${org.id}, ${grantId}, ${agentId}, ${NAME}, 'send', ${person.id}, now())`
  return { sessionId, agentRunId, approvalId, grantId, n: '1', userId: person.id }
}

async function addCaller(name: string, person: Person): Promise<void> {
  callers.set(`${name} with an API key`, bearer(await app.key(person, SCOPE_NAMES)))
  callers.set(`${name} with a browser session`, cookie(await app.session(person)))
}

const RESOURCES: [route: RegExp, idName: string, deniedCallers: RegExp][] = [
  [/^\/api\/v1\/projects\/:/, 'projectId', /./],
  [/^\/api\/v1\/files\/:/, 'fileId', /./],
  [/^\/api\/v1\/webhooks\/:/, 'webhookId', /another organization/],
  [/^\/api\/v1\/model-providers\/:/, 'providerId', /another organization/],
  [/^\/api\/v1\/mcp-servers\/:/, 'mcpServerId', /another organization/],
  [/^\/api\/v1\/connections\/:/, 'connectionId', /./],
  [/^\/api\/v1\/webhooks\/events\/:/, 'eventId', /another organization/],
  [/^\/api\/v1\/agents\/:/, 'agentId', /another organization/],
  [/^\/api\/v1\/skills\/:/, 'skillId', /another organization/],
  [/^\/api\/v1\/memory\/:/, 'memoryId', /./],
  [/^\/api\/v1\/templates\/:/, 'templateId', /another organization/],
  [/^\/api\/v1\/project-views\/:/, 'viewId', /./],
  [/^\/api\/v1\/sessions\/:/, 'sessionId', /./],
  [/^\/api\/v1\/runs\/:/, 'agentRunId', /./],
  [/^\/api\/v1\/approvals\/:/, 'approvalId', /./],
  [/^\/api\/v1\/comments\/:/, 'commentId', /./],
  [/^\/api\/v1\/schedules\/:/, 'scheduleId', /./],
  [/^\/api\/v1\/connections\/:id\/endpoints$/, 'connectionId', /./],
  [/^\/api\/v1\/connectors\/endpoints\/:/, 'endpointId', /./],
  [/^\/api\/v1\/connectors\/replies\/:/, 'replyId', /./],
  [/^\/api\/v1\/billing\/mandates\/:/, 'mandateId', /another organization/],
  [/^\/api\/v1\/billing\/machine-payments\/:/, 'paymentId', /another organization/],
  [/^\/api\/v1\/approval-grants\/:/, 'grantId', /another organization/],
  [/^\/api\/v1\/connected-apps\/:/, 'appId', /./],
  [/^\/api\/v1\/telephony\/numbers\/:/, 'numberId', /another organization/],
  [/^\/api\/v1\/telephony\/calls\/:/, 'callId', /./],
  [/^\/api\/v1\/telephony\/sms\/:/, 'smsId', /./],
  [/^\/api\/v1\/telephony\/voice-agents\/:/, 'voiceAgentId', /another organization/],
]

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

test('routes that take the id in the query or the body respond that the resource is not found', async () => {
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

test('the owner finds every resource unchanged, so that the refusals are not due to missing resources', async () => {
  const headers = owner.headers
  const reads = routes.filter(([, { endpoint }]) => endpoint.method === 'GET' && endpoint.bytes !== 'events')
  for (const [name, { endpoint, idName }] of reads) {
    const { status, body } = await call(endpoint, headers, ids[idName]!)
    if (endpoint.path.endsWith('/archive')) expect(body.error.message).toContain('folder')
    else if (endpoint.path.endsWith('/oauth')) expect(body.error.message).toContain('does not use OAuth')
    else expect(status, name).toBe(endpoint.path.endsWith('/versions/:version') ? 302 : 200)
  }
  const { projectId, webhookId, fileId, agentId } = ids as { [name: string]: string }
  expect(await owner.client.projects.get({ id: projectId! })).toMatchObject({ name: NAME, status: 'active' })
  expect((await owner.client.canvas.list({ projectId: projectId! })).items).toHaveLength(2)
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
function call(endpoint: Endpoint, headers: Headers, id: string) {
  const [first, ...rest] = endpoint.path.match(/:\w+/g)!
  const path = rest.reduce<string>(
    (filled, name) => filled.replace(name, ids[name.slice(1)]!),
    endpoint.path.replace(first!, id),
  )
  const query = path.endsWith('/file') && path.includes('/skills/') ? '?path=a.md' : ''
  return app.request(endpoint.method, path + query, { headers, body: bodyOf(endpoint) })
}

function bodyOf({ path, method, body }: Endpoint): unknown {
  if (path === '/api/v1/projects/:projectId/restore') return createManifest()
  if (!body) return method === 'GET' ? undefined : {}
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return sampleBody(schema, [])
}

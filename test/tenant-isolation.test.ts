import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SCOPE_NAMES } from '../contract/accounts/scopes.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpoints } from '../contract/index.ts'
import { sampleBody } from '../server/http/docs/sample.ts'
import type { JsonSchema } from '../server/http/docs/schema.ts'
import { type Actor, createActor } from '../server/testing/clients/actor.ts'
import { buildWebhookApp, type WebhookApp } from '../server/testing/clients/webhook-app.ts'
import type { Person } from '../server/testing/factories/factories.ts'
import { createManifest } from '../server/testing/factories/manifests.ts'
import { upload } from '../server/testing/factories/uploads.ts'
import { bearer, cookie, type Headers } from '../server/testing/test-app.ts'

/** Every route to a thing × everybody to whom it does not exist, with all the right they have elsewhere. */

const NAME = 'Secret plan'

type Ids = Record<string, string>

let app: WebhookApp
let owner: Actor
/** A project in a workspace of its own, with what is in it; a webhook; an event that was received. */
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
  const sentFile = { name: `${NAME}.txt`, fields: { parentId: project.folderId } }
  const fileId = (await upload(app, owner.headers, NAME, sentFile)).body.data.id as string
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
  const sent = await app.send(hook, { 'x-webhook-secret': hook.secret }, { id: NAME, type: 'x' })
  const eventId = sent.body.eventId as string
  const inside = { projectId, blockId, edgeId, runId, snapshotId, inviteId, workspaceId }
  ids = { ...inside, seq: '1', fileId, webhookId: hook.id, eventId }

  const colleague = await app.person(org)
  const stranger = await app.person(await app.organization(), { role: 'owner' })
  await arrive('a colleague who is not in its workspace', colleague)
  await arrive('the owner of another organization', stranger)
})
afterAll(() => app.close())

async function arrive(name: string, person: Person): Promise<void> {
  callers.set(`${name}, with a key`, bearer(await app.key(person, SCOPE_NAMES)))
  callers.set(`${name}, who has just proved who they are`, cookie(await app.session(person)))
}

const NOUNS: [route: RegExp, id: string, who: RegExp][] = [
  [/^\/api\/v1\/projects\/:/, 'projectId', /./],
  [/^\/api\/v1\/files\/:/, 'fileId', /./],
  [/^\/api\/v1\/webhooks\/:/, 'webhookId', /another organization/],
  [/^\/api\/v1\/webhooks\/events\/:/, 'eventId', /another organization/],
]

const WHO = ['a colleague who is not in its workspace', 'the owner of another organization']
const HOW = ['with a key', 'who has just proved who they are']

interface Walk {
  endpoint: Endpoint
  idName: string
}

const routes = NOUNS.flatMap(([route, idName, who]) =>
  endpoints
    .filter(({ path }) => route.test(path))
    .map((endpoint): [string, Walk, RegExp] => [
      `${endpoint.method} ${endpoint.path}`,
      { endpoint, idName },
      who,
    ]),
)

describe.each(WHO.flatMap((who) => HOW.map((how) => [who, how] as const)))('%s, %s', (who, how) => {
  const walked = routes.filter(([, , whom]) => whom.test(who))
  test.each(walked)('%s', async (_name, { endpoint, idName }) => {
    const headers = callers.get(`${who}, ${how}`)!
    for (const id of [ids[idName]!, ...(idName === 'projectId' ? [slug] : [])]) {
      const { status, text, body } = await call(endpoint, headers, id)
      const isRefusedToKeys = 'authorization' in headers && endpoint.access.kind !== 'member'
      if (isRefusedToKeys) expect(body.error.details.reason).toBe('browser_session_required')
      else expect([status, body.error.message]).toEqual([404, expect.stringMatching(/^\w+ not found$/)])
      expect(text).not.toContain(NAME)
    }
  })
})

test('routes that name something in another way do not know it either', async () => {
  const headers = callers.get(`${WHO[1]}, ${HOW[1]}`)!
  const { webhookId, fileId } = ids
  const asks: [string, string, unknown?][] = [
    ['DELETE', `/api/v1/files/${fileId}?permanent=true`],
    ['POST', '/api/v1/webhooks/test', { webhookId }],
    ['POST', '/api/v1/webhooks/verify', { webhookId, payload: '', headers: {} }],
    ['GET', `/api/v1/webhooks/events/live?webhookId=${webhookId}`],
  ]
  for (const [method, path, body] of asks) {
    const answer = await app.request(method, path, { headers, body })
    expect([answer.status, answer.body.error.message]).toEqual([
      404,
      expect.stringMatching(/^\w+ not found$/),
    ])
  }
})

test('the walk asks for what is there: its owner finds it, as it was', async () => {
  const headers = owner.headers
  const reads = routes.filter(([, { endpoint }]) => endpoint.method === 'GET' && endpoint.bytes !== 'events')
  for (const [name, { endpoint, idName }] of reads) {
    const { status, body } = await call(endpoint, headers, ids[idName]!)
    if (endpoint.path.endsWith('/archive')) expect(body.error.message).toContain('folder')
    else expect(status, name).toBe(200)
  }
  const { projectId, webhookId, fileId } = ids as { [name: string]: string }
  expect(await owner.client.projects.get({ id: projectId! })).toMatchObject({ name: NAME, status: 'active' })
  expect((await owner.client.canvas.list({ projectId: projectId! })).items).toHaveLength(2)
  expect(await owner.client.webhooks.get({ id: webhookId! })).toMatchObject({ name: NAME, status: 'active' })
  expect(await owner.client.files.get({ id: fileId! })).toMatchObject({
    name: `${NAME}.txt`,
    deletedAt: null,
  })
})

/** With a body that fits, so that nothing but the thing itself can be the reason of a refusal. */
function call(endpoint: Endpoint, headers: Headers, id: string) {
  const [first, ...rest] = endpoint.path.match(/:\w+/g)!
  const path = rest.reduce<string>(
    (way, name) => way.replace(name, ids[name.slice(1)]!),
    endpoint.path.replace(first!, id),
  )
  return app.request(endpoint.method, path, { headers, body: bodyOf(endpoint) })
}

function bodyOf({ path, method, body }: Endpoint): unknown {
  if (path === '/api/v1/projects/:projectId/restore') return createManifest()
  if (!body) return method === 'GET' ? undefined : {}
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return sampleBody(schema, [])
}

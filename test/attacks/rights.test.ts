import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointName, endpointsByName } from '../../contract/index.ts'
import { identifyApp } from '../../server/features/mcp/connected-apps/connected-apps.ts'
import { connectApp } from '../../server/testing/clients/oauth-app.ts'
import { CALLER_DEFAULTS } from '../../server/testing/factories/caller.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { startReceiver } from '../../server/testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { call, createScriptedAgent, type ScriptedAgent } from './scripted-agent.ts'

let app: TestApp
let site: Awaited<ReturnType<typeof startReceiver>>
let agent: ScriptedAgent
beforeAll(async () => {
  site = await startReceiver()
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  await app.app.startWorker()
  agent = await createScriptedAgent(app)
})
afterAll(async () => {
  await app.close()
  await site.close()
})

const editCanvas = (project?: string) =>
  call('edit_canvas', { project, create: [{ type: 'note', title: 'x' }] })

/** The request of a run for a page, which the test answers later. */
const nextRequest = () =>
  new Promise<ServerResponse>((resolve) => site.answer((_request, response) => resolve(response)))

interface Loss {
  name: string
  /** The credential that starts the run. Default: a session. */
  by?: 'key' | 'app'
  lose: (person: Person, keyId: string) => Promise<unknown>
  outcome: object
}

const ACCESS_LOST = { status: 'failed', errorCode: 'access_lost' }
const LOSSES: Loss[] = [
  {
    name: 'is removed from the organization',
    lose: ({ id }) => agent.browser.organization.removeMember({ userId: id }),
    outcome: ACCESS_LOST,
  },
  {
    name: 'revokes the key',
    by: 'key',
    lose: (person, keyId) =>
      app.sql`update api_keys set revoked_at = now() where org_id = ${person.orgId} and id = ${keyId}`,
    outcome: ACCESS_LOST,
  },
  {
    name: 'disconnects the app',
    by: 'app',
    lose: (_person, keyId) => app.sql`update app_grants set revoked_at = now() where id = ${keyId}`,
    outcome: ACCESS_LOST,
  },
  {
    name: 'no longer sees the project',
    lose: () => agent.browser.projects.update({ id: agent.project.id, visibility: 'private' }),
    outcome: ACCESS_LOST,
  },
  {
    name: 'becomes a viewer',
    lose: (person) => app.setWorkspaceRole(person, agent.org.workspaceId, 'viewer'),
    outcome: { status: 'succeeded' },
  },
  {
    name: 'makes the key read-only',
    by: 'key',
    lose: (person, keyId) =>
      app.sql`update api_keys set read_only = true where org_id = ${person.orgId} and id = ${keyId}`,
    outcome: { status: 'succeeded' },
  },
]

async function starterOf(person: Person, by: Loss['by']) {
  if (by === 'key') return agent.withKey(person)
  if (by !== 'app') return { keyId: '', client: await app.withSession(person) }
  const { tokens } = await connectApp(app, person, { access: 'write' })
  const unused = { add: () => undefined, close: async () => {} }
  const { caller } = (await identifyApp(app.sql, tokens.access_token, app.clock.now(), unused))!
  const create = async (body: unknown) => {
    const origin = { ip: '192.0.2.1', userAgent: null, baseUrl: app.url, flowSecret: null }
    const result = await app.app.invoke('sessions.create', { caller, origin, params: {}, query: {}, body })
    return JSON.parse(result.body)
  }
  return { keyId: caller.credentialId, client: { sessions: { create } } as unknown as typeof agent.browser }
}

describe.each(LOSSES)('a run whose starter $name', ({ by, lose, outcome }) => {
  test('changes nothing afterwards', async () => {
    agent = await createScriptedAgent(app)
    const person = await app.person(agent.org)
    const { keyId, client } = await starterOf(person, by)
    const pageRequest = nextRequest()
    const run = await agent.ask([call('web_fetch', { url: site.url }), editCanvas(), 'say Done'], { client })
    const page = await pageRequest
    await lose(person, keyId)
    page.writeHead(200, { 'content-type': 'text/plain' }).end('x')
    const ended = () => app.sql`
      select status, error_code as "errorCode" from runs where id = ${run.id} and finished_at is not null`
    await expect.poll(ended).toMatchObject([outcome])
    expect(await app.sql`select from blocks where project_id = ${agent.project.id}`).toHaveLength(0)
  })
})

test('a run has no more permissions than its starter: roles, scopes, projects and organizations', async () => {
  agent = await createScriptedAgent(app)
  const { org, owner } = agent
  const workspaceId = await app.workspace(org)
  const member = await app.person(org)
  await app.setWorkspaceRole(member, workspaceId, 'viewer')
  const viewed = await app.project(owner, { workspaceIds: [workspaceId] })
  const hidden = await app.project(owner, { name: 'Salaries', visibility: 'private' })
  const foreign = (await createScriptedAgent(app)).project
  // The key has no scope for files.
  const { client } = await agent.withKey(member, ['models:read'])
  const run = await agent.ask(
    [
      [
        editCanvas(viewed.id),
        editCanvas(hidden.id),
        editCanvas(foreign.id),
        call('read_canvas', { project: hidden.id }),
        call('read_canvas', { project: 'Salaries' }),
        call('write_file', { name: 'a.txt', text: 'x' }),
        call('run_action', { action: 'webhooks.deliveries', input: { id: hidden.id } }),
        call('run_action', { action: 'approvals.decide', input: { id: hidden.id, decision: 'approve' } }),
        call('run_action', { action: 'agents.update', input: { id: agent.agent.id, prompt: 'x' } }),
      ].join('\n'),
      'say Done',
    ],
    { client },
  )
  expect((await run.waitUntilSettled()).status).toBe('succeeded')
  const calls = await run.calls()
  expect(calls.map(({ errorCode }) => errorCode)).toEqual([
    'forbidden',
    'not_found',
    'not_found',
    'not_found',
    'not_found',
    'forbidden',
    'forbidden',
    'bad_request',
    'bad_request',
  ])
  const reader = (await agent.withKey(owner, ['models:read'], { readOnly: true })).client
  await expect(agent.ask(['say Hi'], { client: reader })).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a run calls no endpoint reserved for browsers or stepped-up sessions', async () => {
  const { owner } = agent
  const caller = {
    ...CALLER_DEFAULTS,
    via: 'run' as const,
    credentialId: owner.id,
    userId: owner.id,
    orgId: owner.orgId,
  }
  const browserOnly = (Object.keys(endpointsByName) as EndpointName[]).filter((name) =>
    ['browser', 'stepped-up'].includes(endpointsByName[name].access.kind),
  )
  expect(browserOnly.length).toBeGreaterThan(20)
  for (const name of browserOnly) {
    const origin = { ip: '192.0.2.1', userAgent: null, baseUrl: 'http://localhost', flowSecret: null }
    const invoked = app.app.invoke(name, {
      caller: { ...caller, role: 'owner' },
      origin,
      params: {},
      query: {},
      body: {},
    })
    await expect(invoked, name).rejects.toMatchObject({ details: { reason: 'browser_session_required' } })
  }
})

import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { findDefaultAgent, findVersion } from './agents.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function createAgent(settings: { prompt?: string } = {}) {
  const org = await app.organization()
  const person = await app.person(org, { name: 'Ada' })
  const headers = bearer(await app.key(person))
  const { agents } = app.as(headers)
  const agent = await agents.create({ name: 'Researcher', ...settings })
  return { org, person, headers, agents, agent, id: agent.id }
}

describe('PATCH /agents/:id', () => {
  test('changes only the settings sent, and creates a version', async () => {
    const { agents, agent, id } = await createAgent()
    app.clock.advance(1000)
    const changed = await agents.update({ id, prompt: 'Be brief', tools: { web: true } })
    expect(changed).toEqual({
      ...agent,
      prompt: 'Be brief',
      tools: { ...agent.tools, web: true },
      version: 2,
      updatedAt: changed.updatedAt,
    })
    expect(changed.updatedAt > agent.updatedAt).toBe(true)
  })

  test('creates no version if nothing changes', async () => {
    const { agents, id } = await createAgent()
    const budget = { amount: '1.5', currency: 'USD' as const }
    const changed = await agents.update({ id, budget, approvals: { send: 'ask', share: 'deny' } })
    const same = { budget: { amount: '1.50' }, approvals: { share: 'deny', send: 'ask' } as const, emoji: '' }
    expect(await agents.update({ id, ...same })).toEqual(changed)
    expect((await agents.versions({ id })).items).toHaveLength(2)
  })

  test('refuses a stale version, and one of two writers who read the same version', async () => {
    const { headers, agents, id } = await createAgent()
    const patch = (body: unknown, etag: string) =>
      app.request('PATCH', `/api/v1/agents/${id}`, { headers: { ...headers, 'if-match': etag }, body })
    const { headers: read } = await app.request('GET', `/api/v1/agents/${id}`, { headers })
    const etag = read.get('etag')!
    const both = await Promise.all([patch({ prompt: 'One' }, etag), patch({ prompt: 'Two' }, etag)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    const refusal = both.find(({ status }) => status === 412)!
    expect(refusal.body.error).toMatchObject({ code: 'PRECONDITION_FAILED', details: { reason: 'stale' } })
    expect((await agents.get({ id })).version).toBe(2)
  })

  test("numbers concurrent writers' versions without gaps", async () => {
    const { agents, id } = await createAgent()
    await Promise.all(Array.from({ length: 8 }, (_, n) => agents.update({ id, prompt: `Prompt ${n}` })))
    const { items } = await agents.versions({ id })
    expect(items.map(({ version }) => version)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  })
})

describe('GET /agents/:id/versions', () => {
  test("lists each version's author and its old and new settings, page by page", async () => {
    const { agents, person, id } = await createAgent({ prompt: 'One' })
    await agents.update({ id, prompt: 'Two', maxSteps: 5 })
    await agents.remove({ id })
    await agents.unarchive({ id })
    const first = await agents.versions({ id, limit: 2 })
    const second = await agents.versions({ id, limit: 2, cursor: first.nextCursor! })
    expect(second.nextCursor).toBeNull()
    const by = { id: person.id, name: 'Ada' }
    const version = { restoredFrom: null, by, changes: [] }
    expect([...first.items, ...second.items]).toMatchObject([
      { ...version, version: 4, change: 'unarchived' },
      { ...version, version: 3, change: 'archived' },
      {
        ...version,
        version: 2,
        change: 'updated',
        changes: [
          { field: 'prompt', before: 'One', after: 'Two' },
          { field: 'maxSteps', before: 20, after: 5 },
        ],
      },
      { ...version, version: 1, change: 'created' },
    ])
  })
})

describe('POST /agents/:id/versions/:version/restore', () => {
  test("makes an earlier version's settings the latest", async () => {
    const { agents, agent, id } = await createAgent({ prompt: 'One' })
    await agents.update({ id, name: 'Writer', prompt: 'Two' })
    expect(await agents.restore({ id, version: 1 })).toEqual({
      ...agent,
      version: 3,
      updatedAt: expect.any(String),
    })
    expect((await agents.list({ q: 'researcher' })).items).toHaveLength(1)
    const { items } = await agents.versions({ id })
    expect(items[0]).toMatchObject({ change: 'restored', restoredFrom: 1, version: 3 })
    expect((await agents.restore({ id, version: 3 })).version).toBe(3)
    await expect(agents.restore({ id, version: 9 })).rejects.toMatchObject({ message: 'Version not found' })
  })

  test('refuses a stale version', async () => {
    const { agents, headers, id } = await createAgent()
    await agents.update({ id, prompt: 'Two' })
    const path = `/api/v1/agents/${id}/versions/1/restore`
    const stale = await app.request('POST', path, { headers: { ...headers, 'if-match': '"1.x"' }, body: {} })
    expect(stale.status).toBe(412)
  })
})

describe('DELETE /agents/:id', () => {
  test('archives the agent, which can still be read and unarchived but not changed', async () => {
    const { agents, id } = await createAgent()
    const archived = await agents.remove({ id })
    expect(archived).toMatchObject({ version: 2, archivedAt: expect.any(String) })
    expect(await agents.remove({ id })).toEqual(archived)
    expect(await agents.get({ id })).toEqual(archived)
    for (const change of [() => agents.update({ id, prompt: 'x' }), () => agents.restore({ id, version: 1 })])
      await expect(change()).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'archived' } })
    const unarchived = await agents.unarchive({ id })
    expect(unarchived).toMatchObject({ version: 3, archivedAt: null })
    expect(await agents.unarchive({ id })).toEqual(unarchived)
  })

  test('frees quota that unarchiving needs again', async () => {
    const { org, agents, id } = await createAgent()
    const operator = await app.operator()
    await operator.client.quotas.update({ id: org.id, agents: 2 })
    await expect(agents.create({ name: 'Third' })).rejects.toMatchObject({
      details: { reason: 'quota_exceeded', quota: 'agents', used: 2, allowed: 2 },
    })
    await agents.remove({ id })
    await agents.create({ name: 'Third' })
    await expect(agents.unarchive({ id })).rejects.toMatchObject({ details: { quota: 'agents' } })
    expect((await agents.get({ id })).archivedAt).not.toBeNull()
  })
})

describe('the version used by runs', () => {
  test('keeps its settings when the agent changes', async () => {
    const { org, agents, id } = await createAgent({ prompt: 'One' })
    await agents.update({ id, prompt: 'Two' })
    await agents.remove({ id })
    const prompts = [1, 2].map(async (version) => (await findVersion(app.sql, org.id, id, version))?.prompt)
    expect(await Promise.all(prompts)).toEqual(['One', 'Two'])
    expect(await findVersion(app.sql, newId(), id, 1)).toBeNull()
    expect(await findVersion(app.sql, org.id, id, 9)).toBeNull()
  })

  test("the default agent is the organization's first, or else the oldest unarchived one", async () => {
    const { org, agents, id } = await createAgent()
    const assistant = await findDefaultAgent(app.sql, org.id)
    expect(assistant).toMatchObject({ version: 1, createdBy: null, settings: { name: 'Assistant' } })
    const admin = await app.withKey(await app.person(org, { role: 'admin' }))
    await admin.agents.remove({ id: assistant!.id })
    expect((await findDefaultAgent(app.sql, org.id))?.id).toBe(id)
    await agents.remove({ id })
    expect(await findDefaultAgent(app.sql, org.id)).toBeNull()
  })
})

test('the audit log refers to the agent and the changed settings', async () => {
  const { org, agents, id } = await createAgent()
  await agents.update({ id, prompt: 'Two', emoji: '🧪' })
  await agents.remove({ id })
  const owner = app.as(cookie(await app.session(await app.person(org, { role: 'owner' }))))
  const { items } = await owner.organization.audit({})
  expect(items.filter(({ target }) => target === id)).toMatchObject([
    { action: 'agent.archived', details: { name: 'Researcher' } },
    { action: 'agent.updated', details: { name: 'Researcher', fields: 'emoji, prompt' } },
    { action: 'agent.created', details: { name: 'Researcher' } },
  ])
})

import { beforeAll, describe, expect, test } from 'vitest'
import { bearer, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function setUp() {
  const org = await app.organization()
  const [creator, other, admin, owner] = [
    await app.person(org),
    await app.person(org),
    await app.person(org, { role: 'admin' }),
    await app.person(org, { role: 'owner' }),
  ]
  const by = {
    creator: await app.withSession(creator),
    other: await app.withSession(other),
    admin: await app.withSession(admin),
    owner: await app.withSession(owner),
  }
  const [assistant] = (await by.owner.agents.list({ q: 'assistant' })).items
  return { org, other, by, assistant: assistant! }
}

const NOT_CREATOR = { status: 403, details: { reason: 'not_creator' } }

describe("an organization's initial agent", () => {
  test("can't be changed by a member, whether the key has models:read or every scope", async () => {
    const { other, assistant } = await setUp()
    const patch = async (...scopes: Parameters<TestApp['key']>[1] & {}) =>
      app.request('PATCH', `/api/v1/agents/${assistant.id}`, {
        headers: bearer(await app.key(other, scopes)),
        body: { prompt: 'Obey me' },
      })
    const unscoped = await patch('models:read')
    expect([unscoped.status, unscoped.body.error.details]).toEqual([
      403,
      { reason: 'missing_scope', required: ['agents:write'] },
    ])
    for (const scope of ['agents:write', 'terminal'] as const) {
      const refused = await patch(scope)
      expect([refused.status, refused.body.error.details]).toEqual([403, { reason: 'not_creator' }])
      expect(refused.body.error.message).toContain('Only admins and owners can change this agent')
    }
  })

  test('can be changed by admins and owners', async () => {
    const { by, assistant } = await setUp()
    expect((await by.other.agents.get({ id: assistant.id })).canEdit).toBe(false)
    await by.admin.agents.update({ id: assistant.id, prompt: 'Be brief' })
    expect(await by.owner.agents.update({ id: assistant.id, prompt: 'Be kind' })).toMatchObject({
      version: 3,
      canEdit: true,
    })
  })
})

test('an agent can be changed, archived and restored only by its creator, admins and owners', async () => {
  const { by } = await setUp()
  const { id } = await by.creator.agents.create({ name: 'Shared' })
  await by.creator.agents.update({ id, prompt: 'One' })
  await by.admin.agents.update({ id, prompt: 'Two' })
  await by.owner.agents.restore({ id, version: 1 })
  const { agents } = by.other
  const attempts = [
    () => agents.update({ id, prompt: 'Mine' }),
    () => agents.update({ id, approvals: { send: 'ask' } }),
    () => agents.restore({ id, version: 2 }),
    () => agents.remove({ id }),
    () => agents.unarchive({ id }),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(NOT_CREATOR)
  expect(await agents.get({ id })).toMatchObject({ version: 4, prompt: '', canEdit: false })
})

test("a team project's prompt is changed only by its creator, admins and owners; all editors change other fields", async () => {
  const { by } = await setUp()
  const { id } = await by.creator.projects.create({ name: 'Plan', visibility: 'team' })
  await by.other.projects.update({ id, description: 'Shared' })
  await expect(by.other.projects.update({ id, prompt: 'Obey me' })).rejects.toMatchObject(NOT_CREATOR)
  await by.other.projects.update({ id, prompt: null, name: 'Same prompt' })
  for (const client of [by.creator, by.admin, by.owner])
    await client.projects.update({ id, prompt: 'Be brief' })
})

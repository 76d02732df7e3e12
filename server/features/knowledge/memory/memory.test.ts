import { beforeAll, expect, test } from 'vitest'
import type { Organization, Person } from '../../../testing/factories/factories.ts'
import { cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let org: Organization
let owner: Person
let client: Awaited<ReturnType<TestApp['withSession']>>
let projectId: string
beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
  owner = await app.person(org, { role: 'owner', name: 'Ada' })
  client = await app.withSession(owner)
  projectId = (await app.project(owner)).id
})

const keysOf = async (input: Parameters<typeof client.memory.list>[0]) =>
  (await client.memory.list(input)).items.map(({ key }) => key)

test('create replaces the text for an existing key, and restore brings back the former text', async () => {
  const first = await client.memory.create({ projectId, key: 'deploy', content: 'On Mondays', tags: ['ops'] })
  expect(first).toMatchObject({
    ...{ scope: 'project', projectId, key: 'deploy', content: 'On Mondays', tags: ['ops'], source: 'person' },
    ...{
      status: 'active',
      by: { id: owner.id, name: 'Ada' },
      runId: null,
      version: 1,
      canEdit: true,
      replaces: null,
    },
  })
  const again = await client.memory.create({ projectId, key: 'deploy', content: 'On Tuesdays' })
  expect(again).toMatchObject({ id: first.id, version: 2, content: 'On Tuesdays', tags: [] })
  const other = await client.memory.create({ key: 'deploy', content: 'By the platform team' })
  expect(other).toMatchObject({ scope: 'org', projectId: null, version: 1 })
  await expect(client.memory.create({ scope: 'project', key: 'x', content: 'y' })).rejects.toThrow(
    'body.projectId is required for the scope project',
  )

  const changed = await client.memory.update({ id: first.id, key: 'releases', content: 'On Fridays' })
  expect(changed).toMatchObject({ version: 3, key: 'releases' })
  const taken = await client.memory.create({ projectId, key: 'deploy', content: 'Again' })
  await expect(client.memory.update({ id: first.id, key: 'deploy' })).rejects.toThrow(
    'Another memory has the key',
  )
  await expect(client.memory.restore({ id: first.id, version: 1 })).rejects.toThrow(
    'Another memory has the key',
  )
  await client.memory.remove({ id: taken.id })
  expect(await client.memory.restore({ id: first.id, version: 1 })).toMatchObject({
    ...{ key: 'deploy', content: 'On Mondays', tags: ['ops'], version: 4 },
  })
  const { items } = await client.memory.versions({ id: first.id })
  expect(
    items.map(({ version, change, content, restoredFrom }) => [version, change, content, restoredFrom]),
  ).toEqual([
    [4, 'restored', 'On Mondays', 1],
    [3, 'updated', 'On Fridays', null],
    [2, 'updated', 'On Tuesdays', null],
    [1, 'created', 'On Mondays', null],
  ])
  const stale = {
    headers: { ...cookie(await app.session(owner)), 'if-match': '"3"' },
    body: { content: 'Late' },
  }
  expect((await app.request('PATCH', `/api/v1/memory/${first.id}`, stale)).status).toBe(412)
})

test('search finds words, stems, phrases and key parts; best match first, then newest', async () => {
  const { id } = await app.project(owner)
  const save = (key: string, content: string) => client.memory.create({ projectId: id, key, content })
  await save('billing.invoice_day', 'The first of each month')
  await save('contacts', 'Invoices go to Grace; she is running the office')
  await save('old note', 'Grace likes tea')
  await save('new note', 'Grace likes tea')
  const find = (q: string) => keysOf({ projectId: id, q })
  expect(await find('invoice')).toEqual(['billing.invoice_day', 'contacts'])
  expect(await find('runs')).toEqual(['contacts'])
  expect(await find('tea')).toEqual(['new note', 'old note'])
  expect(await find('"likes tea" -new')).toEqual(['old note'])
  expect(await find('invoice or tea')).toHaveLength(4)
  expect(await find('!!! & | <-> \'"')).toEqual([])
  expect(await keysOf({ scope: 'org', q: 'tea' })).toEqual([])
  const page = await client.memory.list({ projectId: id, q: 'tea', limit: 1 })
  expect(
    (await client.memory.list({ projectId: id, q: 'tea', limit: 1, cursor: page.nextCursor! })).items,
  ).toMatchObject([{ key: 'old note', score: page.items[0]!.score }])
})

test("a private project's memory is visible to its members only, and viewers cannot change it", async () => {
  const secret = await app.project(owner, { visibility: 'private' })
  const { id } = await client.memory.create({ projectId: secret.id, key: 'salary', content: 'Unusual zebra' })
  await client.memory.create({ key: 'greeting', content: 'Friendly zebra' })
  const viewer = await app.person(org)
  await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
  for (const person of [viewer, await app.person(org, { role: 'admin' })]) {
    const other = await app.withSession(person)
    const list = async (input: object) => (await other.memory.list(input)).items.map(({ key }) => key)
    expect(await list({ q: 'zebra' })).toEqual(['greeting'])
    expect(await list({ limit: 100 })).not.toContain('salary')
    await expect(other.memory.list({ projectId: secret.id })).rejects.toThrow('Project not found')
    await expect(other.memory.get({ id })).rejects.toThrow('Memory not found')
    await expect(other.memory.update({ id, content: 'Planted' })).rejects.toThrow('Memory not found')
  }
  const byViewer = await app.withSession(viewer)
  const [shared] = (await byViewer.memory.list({ q: 'greeting' })).items
  expect(shared).toMatchObject({ canEdit: false })
  for (const attempt of [
    () => byViewer.memory.create({ key: 'greeting', content: 'Planted' }),
    () => byViewer.memory.update({ id: shared!.id, content: 'Planted' }),
    () => byViewer.memory.remove({ id: shared!.id }),
    () => byViewer.memory.import({ projectId, items: [{ key: 'greeting', content: 'Planted' }] }),
  ])
    await expect(attempt()).rejects.toThrow('view-only')
})

test('merge loses no text, and an export can be imported into another project', async () => {
  const { id } = await app.project(owner)
  const team = await client.memory.create({ projectId: id, key: 'team', content: 'Ada', tags: ['people'] })
  const crew = await client.memory.create({ projectId: id, key: 'crew', content: 'Grace', tags: ['staff'] })
  await expect(
    client.memory.merge({
      id: team.id,
      otherId: (await client.memory.create({ key: 'z', content: 'z' })).id,
      content: 'x',
    }),
  ).rejects.toThrow('must be in the same project')
  const merged = await client.memory.merge({ id: team.id, otherId: crew.id, content: 'Ada\nGrace' })
  expect(merged).toMatchObject({ key: 'team', content: 'Ada\nGrace', tags: ['people', 'staff'], version: 3 })
  await expect(client.memory.get({ id: crew.id })).rejects.toThrow('Memory not found')
  const { items } = await client.memory.versions({ id: team.id })
  expect(items.map(({ key, content }) => `${key}: ${content}`)).toEqual([
    'team: Ada\nGrace',
    'crew: Grace',
    'team: Ada',
  ])

  const headers = cookie(await app.session(owner))
  const file = await app.request('GET', `/api/v1/memory/export?projectId=${id}`, { headers })
  expect(file.body).toEqual({
    ...{ scope: 'project', projectId: id },
    items: [{ key: 'team', content: 'Ada\nGrace', tags: ['people', 'staff'] }],
  })
  const markdown = await app.request('GET', `/api/v1/memory/export?projectId=${id}&format=markdown`, {
    headers,
  })
  expect(markdown.text).toContain('## team\n\nAda\nGrace\n')
  const target = await app.project(owner)
  const body = { ...file.body, projectId: target.id }
  expect(await client.memory.import(body)).toEqual({ created: 1, replaced: 0, unchanged: 0 })
  const next = { ...body, items: [...body.items, { key: 'new', content: 'Two' }] }
  expect(await client.memory.import(next)).toEqual({ created: 1, replaced: 0, unchanged: 1 })
  await expect(client.memory.import({ ...body, items: [...body.items, ...body.items] })).rejects.toThrow(
    'must not contain duplicate keys',
  )
})

test('create refuses text over the limits and memories over the quota', async () => {
  await expect(client.memory.create({ key: 'k', content: 'x'.repeat(8001) })).rejects.toThrow(
    'body.content must be 1 to 8,000 characters',
  )
  await expect(client.memory.create({ key: 'a\nb', content: 'x' })).rejects.toThrow(
    'body.key must not contain control',
  )
  const small = await app.organization()
  const person = await app.person(small, { role: 'owner' })
  await app.sql`
    insert into quota_overrides (org_id, quota, allowed, updated_at) values (${small.id}, 'memories', 1, now())`
  const limited = await app.withSession(person)
  const { id } = await limited.memory.create({ key: 'one', content: 'x' })
  await expect(limited.memory.create({ key: 'two', content: 'x' })).rejects.toThrow('quota "memories"')
  await limited.memory.create({ key: 'one', content: 'replaced' })
  await limited.memory.remove({ id })
  expect(await limited.memory.create({ key: 'two', content: 'x' })).toMatchObject({ version: 1 })
})

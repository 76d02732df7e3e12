import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  buildSyncApp,
  createSource,
  readFolder,
  type SyncApp,
  syncAgain,
  untilQuiet,
} from '../../../../testing/clients/sync-app.ts'

let app: SyncApp
beforeAll(async () => {
  app = await buildSyncApp(['github', 'website'])
})
afterAll(() => app.closeAll())
beforeEach(() => {
  for (const kind of ['github', 'website'] as const) {
    app.service(kind).failWith(() => null)
    app.service(kind).slowDown(0)
    app.service(kind).docs.clear()
  }
})

/** Synced by a member, and seen by the organization's owner. */
async function createMembers() {
  app.service('website').write('a.txt', 'A')
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const person = await app.person(org)
  const client = await app.withSession(person)
  const created = await createSource(app, 'website', { org, person, client } as never)
  await untilQuiet(app, created.client, created.source.id)
  return { ...created, org, person, owner: await app.withSession(owner) }
}

test('pauses when its owner leaves, and another member can resume it', async () => {
  const { owner, org, person, project, source } = await createMembers()
  await app.sql`delete from workspace_members where org_id = ${org.id} and user_id = ${person.id}`
  await app.sql`delete from memberships where org_id = ${org.id} and user_id = ${person.id}`
  expect(await syncAgain(app, owner, source.id)).toMatchObject({
    state: 'paused',
    paused: { reason: 'owner_left' },
  })
  await expect(owner.sources.sync({ id: source.id })).rejects.toMatchObject({ code: 'CONFLICT' })
  await owner.sources.update({ id: source.id, enabled: true })
  expect(await untilQuiet(app, owner, source.id)).toMatchObject({
    state: 'waiting',
    projectId: project.id,
    paused: null,
  })
})

test('pauses when its owner can only view the project', async () => {
  const { owner, org, person, source } = await createMembers()
  await app.sql`
    update workspace_members set role = 'viewer' where org_id = ${org.id} and user_id = ${person.id}`
  app.service('website').write('b.txt', 'B')
  expect(await syncAgain(app, owner, source.id)).toMatchObject({
    state: 'paused',
    paused: { reason: 'access_lost' },
  })
  expect(await readFolder(app, source.folderId)).toEqual({ 'a.txt': 'A' })
})

test('pauses when its folder is deleted, and creates no other', async () => {
  const { client, owner, source } = await createMembers()
  await client.files.remove({ id: source.folderId })
  expect(await syncAgain(app, owner, source.id)).toMatchObject({
    state: 'paused',
    paused: { reason: 'folder_gone' },
  })
})

test('pauses at a quota, and continues when there is room', async () => {
  const { client, org, owner, source } = await createMembers()
  const operator = await app.operator()
  const { used } = (await owner.quotas.list()).items.find(({ name }) => name === 'files')!
  await operator.client.quotas.update({ id: org.id, files: used })
  app.service('website').write('b.txt', 'B')
  expect(await syncAgain(app, client, source.id)).toMatchObject({
    state: 'paused',
    paused: { reason: 'quota' },
  })
  await operator.client.quotas.update({ id: org.id, files: used + 10 })
  await client.sources.update({ id: source.id, enabled: true })
  await untilQuiet(app, client, source.id)
  expect(await readFolder(app, source.folderId)).toEqual({ 'a.txt': 'A', 'b.txt': 'B' })
})

test('tells its owner after three failures in a row, and pauses after ten', async () => {
  const { client, source } = await createMembers()
  app.service('website').failWith(() => ({ status: 500, body: {} }))
  const titles = async () =>
    (await client.notifications.list({})).items.filter(({ title }) => title.includes('Handbook'))
  for (let failures = 1; failures <= 10; failures++) {
    const state = failures < 10 ? 'failing' : 'paused'
    await client.sources.sync({ id: source.id })
    await vi.waitFor(
      async () => {
        const [row] = await app.sql`select failures from knowledge_sources where id = ${source.id}`
        expect(row!.failures).toBe(failures)
        expect((await client.sources.get({ id: source.id })).state).toBe(state)
      },
      { timeout: 15_000, interval: 50 },
    )
    expect(await titles()).toHaveLength(failures < 3 ? 0 : failures < 10 ? 1 : 2)
  }
  expect(await client.sources.get({ id: source.id })).toMatchObject({ paused: { reason: 'failing' } })
  expect(await readFolder(app, source.folderId)).toEqual({ 'a.txt': 'A' })
})

test('a slow service delays no other change to its source', async () => {
  const { client, source } = await createMembers()
  app.service('website').slowDown(400)
  app.service('website').write('b.txt', 'B')
  await client.sources.sync({ id: source.id })
  expect(await client.sources.update({ id: source.id, name: 'Renamed' })).toMatchObject({ name: 'Renamed' })
  await client.sources.sync({ id: source.id })
  await vi.waitFor(
    async () => expect(await readFolder(app, source.folderId)).toEqual({ 'a.txt': 'A', 'b.txt': 'B' }),
    { timeout: 20_000, interval: 100 },
  )
})

test('refused credentials leave the files alone', async () => {
  const service = app.service('github')
  service.write('a.md', 'A')
  const { client, source } = await createSource(app, 'github')
  await untilQuiet(app, client, source.id)
  service.failWith(() => ({ status: 401, body: { message: 'Bad credentials' } }))
  const refused = await syncAgain(app, client, source.id)
  expect(['failing', 'paused']).toContain(refused.state)
  expect(await readFolder(app, source.folderId)).toEqual({ 'a.md': 'A' })
})

test('viewers read a source and its log, and change nothing', async () => {
  const { org, source, project } = await createMembers()
  const viewer = await app.person(org)
  await app.sql`
    update workspace_members set role = 'viewer' where org_id = ${org.id} and user_id = ${viewer.id}`
  const client = await app.withSession(viewer)
  expect(await client.sources.get({ id: source.id })).toMatchObject({ canEdit: false })
  expect((await client.sources.log({ id: source.id })).items.length).toBeGreaterThan(0)
  const settings = { url: 'https://docs.example.com' }
  const refusals = [
    () => client.sources.update({ id: source.id, name: 'Mine' }),
    () => client.sources.sync({ id: source.id }),
    () => client.sources.remove({ id: source.id }),
    () => client.sources.create({ projectId: project.id, kind: 'website', settings, confirmReaders: true }),
  ]
  for (const refusal of refusals) await expect(refusal()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const stranger = await app.withSession((await app.newUser()).person)
  await expect(stranger.sources.get({ id: source.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../../testing/factories/factories.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const listerOf = async (person: Person) => {
  const { projects } = await app.withKey(person)
  type Query = Parameters<typeof projects.list>[0]
  return async (query: Query = {}) => (await projects.list(query)).items.map(({ name }) => name)
}

/** Two workspaces; one member of each and one of both, and an admin who is a member of neither. */
async function seedProjects() {
  const org = await app.organization()
  const [firstId, secondId] = [org.workspaceId, await app.workspace(org)]
  const memberOf = async (...workspaceIds: string[]) => {
    const person = await app.person(org)
    await app.setWorkspaceRole(person, firstId, null)
    for (const id of workspaceIds) await app.setWorkspaceRole(person, id, 'editor')
    return person
  }
  const admin = await app.person(org, { role: 'admin' })
  await app.setWorkspaceRole(admin, firstId, null)
  const inFirst = await memberOf(firstId)
  const inSecond = await memberOf(secondId)
  const inBoth = await memberOf(firstId, secondId)
  await app.project(inFirst, { name: 'one', workspaceIds: [firstId] })
  await app.project(inSecond, { name: 'two', workspaceIds: [secondId] })
  await app.project(inFirst, { name: 'both', workspaceIds: [secondId, firstId] })
  await app.project(inFirst, { name: 'private', workspaceIds: [firstId], visibility: 'private' })
  await app.project(inFirst, { name: 'deleted', workspaceIds: [firstId], deleted: true })
  return { org, firstId, secondId, admin, inFirst, inSecond, inBoth }
}

describe('Rule 4: project list', () => {
  test('contains each project exactly as a read returns it, with any text', async () => {
    const { client } = await app.newUser()
    const text = 'A "quoted" \\ back\nslash, {"id":1} — 🚀'
    const { id } = await client.projects.create({
      name: 'Texts',
      description: text,
      prompt: text,
      emoji: '🚀',
    })
    await client.projects.update({ id, tags: ['a', '"b"'], metadata: { [text]: [null, 1.5] } })
    await client.projects.create({ name: 'Plain' })
    const { items } = await client.projects.list({})
    const individual = await Promise.all(items.map(({ id }) => client.projects.get({ id })))
    expect(individual).toEqual(items.map((project) => ({ ...project, sharedWorkspaces: [] })))
    await client.projects.remove({ id: items[1]!.id })
    const [deleted] = (await client.projects.list({ trashed: 'true' })).items
    expect(deleted).toEqual({
      ...items[1],
      deletedAt: expect.stringMatching(/\.\d{3}Z$/),
      purgesAt: expect.stringMatching(/\.\d{3}Z$/),
      updatedAt: deleted!.updatedAt,
    })
  })

  test("contains team projects in the caller’s workspaces and the caller's private projects", async () => {
    const { inFirst, inSecond, inBoth, admin } = await seedProjects()
    expect(await (await listerOf(inFirst))()).toEqual(['private', 'both', 'one'])
    expect(await (await listerOf(inSecond))()).toEqual(['both', 'two'])
    expect(await (await listerOf(inBoth))()).toEqual(['both', 'two', 'one'])
    expect(await (await listerOf(admin))()).toEqual(['both', 'two', 'one'])
  })

  test('contains no project from another organization', async () => {
    await seedProjects()
    expect(await (await listerOf(await app.person(await app.organization())))()).toEqual([])
  })

  test('contains no project visible only through a deleted workspace', async () => {
    const { secondId, inSecond, inBoth, admin } = await seedProjects()
    await app.sql`update workspaces set deleted_at = now() where id = ${secondId}`
    expect(await (await listerOf(inBoth))()).toEqual(['both', 'one'])
    expect(await (await listerOf(inSecond))()).toEqual([])
    expect(await (await listerOf(admin))()).toEqual(['both', 'two', 'one'])
  })

  test('creates missing project folders, once for concurrent requests', async () => {
    const { inFirst } = await seedProjects()
    await app.sql`delete from files where org_id = ${inFirst.orgId}`
    await app.sql`delete from folders where org_id = ${inFirst.orgId} and project_id is not null`
    const { projects } = await app.withKey(inFirst)
    const [first, second] = await Promise.all([projects.list({}), projects.list({})])
    const folders = first.items.map(({ folderId }) => folderId)
    expect(folders).not.toContain(null)
    expect(second.items.map(({ folderId }) => folderId)).toEqual(folders)
    const { files } = await app.withKey(inFirst, ['files:read'])
    const created = (await files.list({})).items
    expect(created.map(({ id }) => id).toSorted()).toEqual(folders.toSorted())
    expect(created).toMatchObject([{ protected: true }, { protected: true }, { protected: true }])
  })
})

describe('project list filters', () => {
  test("return a workspace's own projects and those shared with it", async () => {
    const { firstId, secondId, inFirst, inBoth, admin } = await seedProjects()
    expect(await (await listerOf(inFirst))({ workspaceId: firstId })).toEqual(['private', 'both', 'one'])
    expect(await (await listerOf(inBoth))({ workspaceId: secondId })).toEqual(['both', 'two'])
    expect(await (await listerOf(admin))({ workspaceId: firstId })).toEqual(['both', 'one'])
  })

  test('are FORBIDDEN for a workspace that does not exist or the caller cannot access', async () => {
    const { secondId, inFirst } = await seedProjects()
    const other = await app.organization()
    const { projects } = await app.withKey(inFirst)
    const workspaceIds = [secondId]
    await app.project(inFirst, { name: 'my private project', workspaceIds, visibility: 'private' })
    for (const workspaceId of [secondId, other.workspaceId, inFirst.id]) {
      for (const filter of [{}, { search: 'o' }, { trashed: 'true' as const }, { tag: 'x' }]) {
        await expect(projects.list({ workspaceId, ...filter })).rejects.toMatchObject({
          code: 'FORBIDDEN',
          details: { reason: 'no_workspace_access' },
        })
      }
    }
  })

  test('return the projects with the given visibility', async () => {
    const { inFirst } = await seedProjects()
    expect(await (await listerOf(inFirst))({ visibility: 'team' })).toEqual(['both', 'one'])
    expect(await (await listerOf(inFirst))({ visibility: 'private' })).toEqual(['private'])
  })

  test('return the projects that match every given status, tag and name', async () => {
    const { client } = await app.newUser()
    for (const name of ['Plan A', 'plan b', '100%_sure', 'Größe']) await client.projects.create({ name })
    await client.projects.update({ id: 'plan-b', status: 'archived', tags: ['shop', 'lyon'] })
    await client.projects.update({ id: '100-sure', tags: ['shop'] })
    const names = async (query: object) => (await client.projects.list(query)).items.map(({ name }) => name)
    expect(await names({ status: 'archived' })).toEqual(['plan b'])
    expect(await names({ status: 'active' })).toEqual(['Größe', '100%_sure', 'Plan A'])
    expect(await names({ tag: 'shop' })).toEqual(['100%_sure', 'plan b'])
    expect(await names({ tag: 'sho' })).toEqual([])
    expect(await names({ search: 'PLAN' })).toEqual(['plan b', 'Plan A'])
    expect(await names({ search: '%_' })).toEqual(['100%_sure'])
    expect(await names({ search: 'GRÖSSE' })).toEqual(['Größe'])
    expect(await names({ search: 'plan', tag: 'shop', status: 'archived' })).toEqual(['plan b'])
    expect(await names({ search: 'plan', status: 'completed' })).toEqual([])
  })

  test.each([
    ['status', 'deleted', 'must be one of active, archived, completed'],
    ['visibility', 'public', 'must be team or private'],
    ['workspaceId', 'mine', 'must be a UUID'],
    ['search', '', 'must be 1 to 255 characters'],
    ['search', 'x'.repeat(256), 'must be 1 to 255 characters'],
    ['tag', 'x'.repeat(81), 'must be 1 to 80 characters'],
    ['trashed', 'yes', 'must be true or false'],
    ['limit', '0', 'must be at least 1'],
    ['limit', '101', 'must be at most 100'],
    ['limit', 'all', 'must be a number'],
    ['page', '2', 'is not a known field'],
  ])(
    'Rule 12: are BAD_REQUEST with the invalid value %s=%s and name the parameter',
    async (field, value, message) => {
      const { headers } = await app.newUser()
      const answer = await app.request('GET', `/api/v1/projects?${field}=${value}`, { headers })
      expect(answer.body.error).toMatchObject({
        code: 'BAD_REQUEST',
        details: [{ path: `query.${field}`, message }],
      })
    },
  )
})

describe('project list page', () => {
  test('continues at its cursor, so the pages contain each project once, newest first', async () => {
    const { inBoth } = await seedProjects()
    const { projects } = await app.withKey(inBoth)
    const all = (await projects.list({})).items.map(({ id }) => id)
    for (const query of [{}, { trashed: 'false' as const }, { status: 'active' as const }, { search: 'o' }]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await projects.list({ ...query, limit: '1', cursor })
        expect(page.items).toHaveLength(1)
        seen.push(page.items[0]!.id)
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(seen).toEqual(all)
    }
  })

  test('sorts the trash by deletion time, newest first', async () => {
    const { client } = await app.newUser()
    for (const name of ['a', 'b', 'c']) await client.projects.create({ name })
    for (const id of ['b', 'c', 'a']) {
      await client.projects.remove({ id })
      app.clock.advance(1)
    }
    const first = await client.projects.list({ trashed: 'true', limit: '2' })
    expect(first.items.map(({ name }) => name)).toEqual(['a', 'c'])
    const next = await client.projects.list({ trashed: 'true', limit: '2', cursor: first.nextCursor! })
    expect([next.items.map(({ name }) => name), next.nextCursor]).toEqual([['b'], null])
  })

  test('is BAD_REQUEST with a forged cursor or one from another filter or caller', async () => {
    const { inFirst, inBoth } = await seedProjects()
    const own = (await app.withKey(inBoth)).projects
    const { nextCursor } = await own.list({ limit: '1' })
    const refused = { code: 'BAD_REQUEST', details: [{ path: 'query.cursor' }] }
    const cursor = nextCursor!
    await expect(own.list({ limit: '1', cursor, status: 'active' })).rejects.toMatchObject(refused)
    await expect(own.list({ limit: '1', cursor: `x${cursor}` })).rejects.toMatchObject(refused)
    const other = (await app.withKey(inFirst)).projects
    await expect(other.list({ limit: '1', cursor })).rejects.toMatchObject(refused)
  })
})

describe('GET and DELETE /projects/:id', () => {
  test.each([
    ['an unknown id', '0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111'],
    ['an unknown slug', 'no-such-plan'],
    ['a path traversal', '..%2f..%2fetc'],
    ['a quote', "plan'--"],
    ['a percent sign', '%25'],
    ['a wildcard', 'pl_n'],
    ['a NUL byte', 'plan%00'],
    ['another script', '%E6%9D%B1'],
    ['101 characters', 'x'.repeat(101)],
    ['a number', '1'],
    ['undefined', 'undefined'],
  ])('are NOT_FOUND for %s', async (_, ref) => {
    const { headers, client } = await app.newUser()
    await client.projects.create({ name: 'Plan' })
    for (const method of ['GET', 'DELETE']) {
      const answer = await app.request(method, `/api/v1/projects/${ref}`, { headers })
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('accept uppercase ids and slugs', async () => {
    const { client } = await app.newUser()
    const { id } = await client.projects.create({ name: 'Plan' })
    expect((await client.projects.get({ id: 'PLAN' })).id).toBe(id)
    expect((await client.projects.get({ id: id.toUpperCase() })).id).toBe(id)
  })
})

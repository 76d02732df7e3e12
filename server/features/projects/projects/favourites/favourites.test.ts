import { beforeAll, expect, test } from 'vitest'
import { FAVOURITES_MAX, PROJECT_SORTS } from '../../../../../contract/projects/list-options.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

type Client = Awaited<ReturnType<TestApp['withSession']>>
type Query = Parameters<Client['projects']['list']>[0]

const namesOf = async (client: Client, query: Query = {}) =>
  (await client.projects.list(query)).items.map(({ name }) => name)

/** All pages of one item each, which are all positions that a cursor can have. */
async function pagesOf(client: Client, query: Query): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.projects.list({ ...query, limit: 1, cursor })
    names.push(...page.items.map(({ name }) => name))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return names
}

async function seed() {
  const org = await app.organization()
  const secondWorkspaceId = await app.workspace(org)
  const [admin, member] = [await app.person(org, { role: 'admin' }), await app.person(org)]
  await app.setWorkspaceRole(member, secondWorkspaceId, 'viewer')
  const client = await app.withSession(admin)
  const ids: Record<string, string> = {}
  for (const name of ['Plan 10', 'plan 9', 'Éclair', 'Zebra', 'Secret']) {
    app.clock.advance(120)
    const visibility = name === 'Secret' ? ('private' as const) : undefined
    ids[name] = (await client.projects.create({ name, visibility })).id
  }
  await client.projects.shareWithWorkspace({ id: ids['plan 9']!, workspaceId: secondWorkspaceId })
  return { org, admin, member, client, ids }
}

test('every order pages through the same projects as one list, for an admin and a two-workspace member', async () => {
  const { member, client, ids } = await seed()
  app.clock.advance(120)
  await client.canvas.create({ projectId: ids['Plan 10']!, type: 'note', x: 0, y: 0 })
  app.clock.advance(120)
  await client.search.opened({ type: 'project', id: ids.Éclair! })
  app.clock.advance(120)
  await client.search.opened({ type: 'project', id: ids['plan 9']! })
  const newest = ['Secret', 'Zebra', 'Éclair', 'plan 9', 'Plan 10']
  const orders = {
    created: newest,
    updated: ['Plan 10', 'plan 9', 'Secret', 'Zebra', 'Éclair'],
    name: ['Éclair', 'plan 9', 'Plan 10', 'Secret', 'Zebra'],
    opened: ['plan 9', 'Éclair', 'Secret', 'Zebra', 'Plan 10'],
  }
  const memberClient = await app.withSession(member)
  for (const sort of PROJECT_SORTS) {
    const visible = (sort === 'opened' ? newest : orders[sort]).filter((name) => name !== 'Secret')
    for (const filter of [{}, { status: 'active' as const }]) {
      expect(await namesOf(client, { sort, ...filter })).toEqual(orders[sort])
      expect(await pagesOf(client, { sort, ...filter })).toEqual(orders[sort])
      expect(await pagesOf(memberClient, { sort, ...filter })).toEqual(visible)
    }
    if (sort === 'opened') continue
    const opposite = sort === 'name' ? 'desc' : 'asc'
    expect(await pagesOf(client, { sort, order: opposite })).toEqual(orders[sort].toReversed())
  }
  await client.projects.update({ id: ids.Zebra!, name: 'Apple' })
  expect((await namesOf(memberClient, { sort: 'name' }))[0]).toBe('Apple')
  await expect(client.projects.list({ sort: 'opened', order: 'asc' })).rejects.toThrow(
    'query.order must be desc in this list',
  )
  await expect(client.projects.list({ sort: 'name', trashed: 'true' })).rejects.toThrow(
    'query.sort must be absent when listing deleted projects',
  )
  const { nextCursor } = await client.projects.list({ sort: 'name', limit: 1 })
  await expect(client.projects.list({ limit: 1, cursor: nextCursor! })).rejects.toThrow('query.cursor')
})

test('favorites are personal, keep the chosen order, and show only visible projects', async () => {
  const { admin, member, client, ids } = await seed()
  const memberClient = await app.withSession(member)
  for (const name of ['Zebra', 'Secret', 'plan 9']) await client.favourites.add({ id: ids[name]! })
  await client.favourites.add({ id: ids.Zebra! })
  const names = async (person: Client) => (await person.favourites.list()).items.map(({ name }) => name)
  expect(await names(client)).toEqual(['Zebra', 'Secret', 'plan 9'])
  await client.favourites.reorder({ ids: [ids['plan 9']!, ids['Plan 10']!] })
  expect(await names(client)).toEqual(['plan 9', 'Zebra', 'Secret'])
  expect(await pagesOf(client, { favourites: 'true', sort: 'name' })).toEqual(['plan 9', 'Secret', 'Zebra'])
  expect(await pagesOf(client, { favourites: 'true', sort: 'opened' })).toEqual(['Secret', 'Zebra', 'plan 9'])
  expect(await namesOf(client, { favourites: 'true', search: 'zeb' })).toEqual(['Zebra'])

  expect(await names(memberClient)).toEqual([])
  await expect(memberClient.favourites.add({ id: ids.Secret! })).rejects.toThrow('Project not found')
  await memberClient.favourites.add({ id: ids['plan 9']! })
  await client.projects.update({ id: ids.Zebra!, visibility: 'private' })
  await expect(memberClient.favourites.remove({ id: ids.Zebra! })).rejects.toThrow('Project not found')
  expect(await names(memberClient)).toEqual(['plan 9'])
  await client.projects.remove({ id: ids['plan 9']! })
  expect([await names(memberClient), await names(client)]).toEqual([[], ['Zebra', 'Secret']])
  await client.projects.undelete({ id: ids['plan 9']! })
  expect(await names(memberClient)).toEqual(['plan 9'])
  await client.favourites.remove({ id: ids.Zebra! })
  expect(await names(client)).toEqual(['plan 9', 'Secret'])

  await fillFavourites(admin)
  await expect(client.favourites.add({ id: ids.Zebra! })).rejects.toThrow(
    `You can have ${FAVOURITES_MAX} favorites: remove one first`,
  )
})

async function fillFavourites(person: Person) {
  const projects = await Promise.all(Array.from({ length: FAVOURITES_MAX - 2 }, () => app.project(person)))
  await app.sql`
    insert into project_favourites (org_id, user_id, project_id, position, created_at)
    select ${person.orgId}, ${person.id}, unnest(${projects.map(({ id }) => id)}::uuid[]), 1000, now()`
}

test('a bulk action works like the single call on each project, and reports failures', async () => {
  const { member, client, ids } = await seed()
  const memberClient = await app.withSession(member)
  const selectedIds = [ids['plan 9']!, ids.Zebra!, ids.Secret!]
  expect(
    await client.projectBulk.apply({ action: 'archive', ids: [...selectedIds, selectedIds[0]!] }),
  ).toMatchObject({
    done: 3,
    failed: 0,
  })
  expect(await namesOf(client, { status: 'archived', sort: 'name' })).toEqual(['plan 9', 'Secret', 'Zebra'])
  expect(await memberClient.projectBulk.apply({ action: 'delete', ids: selectedIds })).toEqual({
    items: [
      { id: selectedIds[0], done: true, error: null },
      { id: selectedIds[1], done: true, error: null },
      { id: selectedIds[2], done: false, error: { code: 'NOT_FOUND', message: 'Project not found' } },
    ],
    done: 2,
    failed: 1,
  })
  expect(await namesOf(client, { trashed: 'true' })).toEqual(['Zebra', 'plan 9'])
  await client.projectBulk.apply({ action: 'undelete', ids: selectedIds.slice(0, 2) })
  await client.projectBulk.apply({ action: 'favourite', ids: selectedIds })
  expect(await namesOf(client, { favourites: 'true', sort: 'name' })).toEqual(['plan 9', 'Secret', 'Zebra'])
  const { workspaceId } = await client.projects.get({ id: selectedIds[1]! })
  await app.setWorkspaceRole(member, workspaceId, 'viewer')
  const refused = await memberClient.projectBulk.apply({ action: 'activate', ids: selectedIds.slice(1, 2) })
  expect(refused.items[0]!.error!.message).toBe('You have view-only access to this project')
  await expect(client.projectBulk.apply({ action: 'archive', ids: [] })).rejects.toThrow('body.ids')
})

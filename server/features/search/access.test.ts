import { beforeAll, expect, test } from 'vitest'
import { SCOPE_NAMES } from '../../../contract/accounts/scopes.ts'
import type { Organization, Person } from '../../testing/factories/factories.ts'
import { insertSearchable } from '../../testing/factories/searchable.ts'
import { createSharedProject, guestHeaders } from '../../testing/factories/sharing.ts'
import { bearer, cookie, type Headers, shareTestApp, type TestApp } from '../../testing/test-app.ts'

/** Three projects and the organization have a record of each type with this word. */
const WORD = 'quokka'
const PLACES = ['shared', 'closed', 'private', 'organization'] as const
type Place = (typeof PLACES)[number]

let app: TestApp
let org: Organization
let owner: Person
let member: Person
const projects = {} as Record<Exclude<Place, 'organization'>, { id: string; folderId: string }>
/** `type id` of each record, by place. */
const records = {} as Record<Place, string[]>

beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
  owner = await app.person(org, { role: 'owner' })
  member = await app.person(org)
  await app.setWorkspaceRole(member, org.workspaceId, 'viewer')
  const workspaceId = await app.workspace(org)
  const name = `Project of the ${WORD}`
  projects.shared = await app.project(owner, { name })
  projects.closed = await app.project(owner, { name, workspaceIds: [workspaceId] })
  projects.private = await app.project(member, { name, visibility: 'private' })
  for (const place of ['shared', 'closed', 'private'] as const) {
    const { id: projectId, folderId } = projects[place]
    const ids = await insertSearchable(app, owner, { projectId, folderId, word: WORD })
    records[place] = Object.entries({ project: projectId, ...ids }).map(([type, id]) => `${type} ${id}`)
  }
  // Owners and admins see more projects than a search names one by one.
  for (let n = 0; n < 101; n++) await app.project(owner, { name: `Other ${n}`, workspaceIds: [workspaceId] })
  const client = await app.withSession(owner)
  const agent = await client.agents.create({ name: 'Keeper', prompt: `You care for the ${WORD}.` })
  const memory = await client.memory.create({ key: 'animals', content: `One ${WORD}` })
  const webhook = await client.webhooks.create({ name: `Events of the ${WORD}` })
  const skill = await client.skills.create({
    name: 'care',
    description: 'How to care',
    instructions: `Give the ${WORD} water.`,
  })
  records.organization = [
    `agent ${agent.id}`,
    `memory ${memory.id}`,
    `webhook ${webhook.id}`,
    `skill ${skill.id}`,
  ]
})

/** Everything that a caller finds by the word, by each type alone, by each id, and without a word. */
async function findAll(headers: Headers) {
  const read = async (query: string) => {
    const { status, body } = await app.request('GET', `/api/v1/search?limit=100&${query}`, { headers })
    expect([status, query]).toEqual([200, query])
    return (body.items as { type: string; id: string }[]).map(({ type, id }) => `${type} ${id}`)
  }
  const all = PLACES.flatMap((place) => records[place])
  const types = [...new Set(all.map((record) => record.split(' ')[0]!))]
  await app.sql`delete from rate_limits`
  const byType = []
  for (const type of types) byType.push(...(await read(`q=${WORD}&types=${type}`)))
  const byId = []
  for (const record of all) {
    await app.sql`delete from rate_limits`
    byId.push(...(await read(`q=${record.split(' ')[1]}`)))
  }
  const inProject = []
  for (const { id } of Object.values(projects)) {
    const path = `/api/v1/search?limit=100&q=${WORD}&projectId=${id}`
    const { status, body } = await app.request('GET', path, { headers })
    if (status === 200)
      inProject.push(...body.items.map((item: { type: string; id: string }) => `${item.type} ${item.id}`))
    else expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  }
  const onlySeeded = (found: string[]) => found.filter((record) => all.includes(record)).toSorted()
  return {
    byWord: onlySeeded(await read(`q=${WORD}`)),
    byTypingError: await read('q=quoka').then((found) => found.filter((record) => !all.includes(record))),
    byType: onlySeeded(byType),
    byId: onlySeeded(byId),
    inProject: onlySeeded(inProject),
    recent: onlySeeded(await read('')),
  }
}

const CALLERS: [string, Place[], boolean, () => Promise<Headers>][] = [
  ['an owner', ['shared', 'closed', 'organization'], true, async () => cookie(await app.session(owner))],
  [
    'an admin',
    ['shared', 'closed', 'organization'],
    true,
    async () => cookie(await app.session(await app.person(org, { role: 'admin' }))),
  ],
  [
    'a viewer with a private project',
    ['shared', 'private', 'organization'],
    true,
    async () => cookie(await app.session(member)),
  ],
  [
    'a member without a workspace',
    ['organization'],
    true,
    async () => {
      const stranger = await app.person(org)
      await app.setWorkspaceRole(stranger, org.workspaceId, null)
      return cookie(await app.session(stranger))
    },
  ],
  [
    'a read-only key',
    ['shared', 'closed', 'organization'],
    true,
    async () => bearer(await app.key(owner, SCOPE_NAMES, { readOnly: true })),
  ],
  [
    'a key without files:read',
    ['shared', 'closed', 'organization'],
    false,
    async () => bearer(await app.key(owner)),
  ],
  [
    'a member of another organization',
    [],
    true,
    async () => cookie(await app.session(await app.person(await app.organization(), { role: 'owner' }))),
  ],
]

test.each(CALLERS)(
  '%s finds exactly the records they may open, for every type',
  async (_, places, hasFiles, headersOf) => {
    const expected = places
      .flatMap((place) => records[place])
      .filter((record) => hasFiles || !record.startsWith('file'))
      .toSorted()
    const { byWord, byTypingError, byType, byId, inProject, recent } = await findAll(await headersOf())
    expect(byWord).toEqual(expected)
    expect(byType).toEqual(expected)
    expect(byId).toEqual(expected)
    expect(byTypingError).toEqual([])
    expect(inProject).toEqual(expected.filter((record) => !records.organization.includes(record)))
    expect(recent.filter((record) => !expected.includes(record))).toEqual([])
  },
)

test('share link guests cannot search', async () => {
  const { token } = await createSharedProject(app, { access: 'edit' })
  const { status } = await app.request('GET', '/api/v1/search?q=a', {
    headers: await guestHeaders(app, token),
  })
  expect(status).toBe(401)
})

test('a record is not found once its reader loses access: trash, private project, moved folder', async () => {
  const headers = cookie(await app.session(await app.person(org)))
  const find = async (types: string) => {
    const { body } = await app.request('GET', `/api/v1/search?q=${WORD}&types=${types}`, { headers })
    return body.items.length as number
  }
  const before = [await find('block'), await find('file')]
  const client = await app.withSession(owner)
  const project = await app.project(owner)
  const folder = await client.files.create({ source: 'folder', name: 'Moving', projectId: project.id })
  const folderId = ('file' in folder ? folder.file : folder).id
  await insertSearchable(app, owner, { projectId: project.id, folderId, word: WORD })
  expect([await find('block'), await find('file')]).toEqual(before.map((count) => count + 1))
  // Without a worker, which corrects the index later: access follows the folder.
  await client.files.update({ id: folderId, parentId: projects.closed.folderId })
  expect(await find('file')).toBe(before[1])
  await client.files.update({ id: folderId, parentId: null })
  expect(await find('file')).toBe(before[1]! + 1)
  await client.files.remove({ id: folderId })
  expect(await find('file')).toBe(before[1])
  await client.projects.update({ id: project.id, visibility: 'private' })
  expect(await find('block')).toBe(before[0])
  await client.projects.update({ id: project.id, visibility: 'team' })
  await client.projects.remove({ id: project.id })
  expect(await find('block')).toBe(before[0])
})

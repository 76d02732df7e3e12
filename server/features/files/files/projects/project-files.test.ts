import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStoredFile } from '../../../../testing/clients/file-client.ts'
import {
  EXPECTED_ACCESS,
  type ProjectRole,
  ROLES,
  seedProjectMembers,
} from '../../../../testing/factories/project-members.ts'
import { upload } from '../../../../testing/factories/uploads.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { expectValidTrees } from '../../../../testing/tree-check.ts'

/** Every endpoint grants access to the content of a project folder according to the access to the project. */

let app: TestApp
let members: Awaited<ReturnType<typeof seedProjectMembers>>
let projects: Record<'team' | 'private', Awaited<ReturnType<typeof members.project>>>
beforeAll(async () => {
  app = await buildTestApp()
  members = await seedProjectMembers(app)
  projects = { team: await members.project('team'), private: await members.project('private') }
})
afterAll(async () => {
  await expectValidTrees(app.sql)
  await app.close()
})

/** The fixture of one attempt by one role: new entries in the project folder, and a file of the role outside it. */
async function prepare(visibility: 'team' | 'private', role: ProjectRole) {
  const { people, headers } = members
  const project = projects[visibility]
  const inside = () => createStoredFile(app, people.creator, { parentId: project.folderId })
  const send = (method: string, path: string, body?: unknown) =>
    app.request(method, `/api/v1/files${path}`, { headers: headers[role], body })
  const asCreator = (method: string, path: string, body?: unknown) =>
    app.request(method, `/api/v1/files${path}`, { headers: headers.creator, body })
  const trashed = async () => {
    const { id } = await inside()
    await asCreator('DELETE', `/${id}`)
    return id
  }
  const folder = async () => {
    const body = { source: 'folder', name: 'inner', parentId: project.folderId }
    return (await asCreator('POST', '', body)).body.data.file.id as string
  }
  const own = () => createStoredFile(app, people[role])
  const form = (fields: Record<string, string>) => upload(app, headers[role], 'hello', { fields })
  return { project, inside, trashed, folder, own, send, asCreator, form }
}

type Attempt = Awaited<ReturnType<typeof prepare>>
type Operation = [string, (attempt: Attempt) => Promise<{ status: number; body: { error?: unknown } }>]

/** Operations that view access allows. */
const READING: Operation[] = [
  ['list the project', ({ send, project }) => send('GET', `?projectId=${project.id}`)],
  ['list the project folder', ({ send, project }) => send('GET', `?parentId=${project.folderId}`)],
  [
    'search the project folder',
    ({ send, project }) => send('GET', `?parentId=${project.folderId}&search=notes`),
  ],
  ['list a tag in the project', ({ send, project }) => send('GET', `?projectId=${project.id}&tag=x`)],
  ['list the project trash', ({ send, project }) => send('GET', `?projectId=${project.id}&trashed=true`)],
  ['read the project folder', ({ send, project }) => send('GET', `/${project.folderId}`)],
  ['read a file', async ({ send, inside }) => send('GET', `/${(await inside()).id}`)],
  ['preview a file', async (t) => t.send('GET', `/${await uploadFile(t)}/preview`)],
  ['download a file', async (t) => t.send('GET', `/${await uploadFile(t)}?download=true`)],
  ['download a file inline', async (t) => t.send('GET', `/${await uploadFile(t)}?download=true&inline=true`)],
  ['download an archive', async ({ send, folder }) => send('GET', `/${await folder()}/archive`)],
  [
    'copy a file out of the project',
    async ({ send, inside }) => send('POST', `/${(await inside()).id}/copy`, { parentId: null }),
  ],
  [
    'copy a folder out of the project',
    async ({ send, folder }) => send('POST', `/${await folder()}/copy`, { parentId: null }),
  ],
  [
    'link to a file',
    async ({ send, inside }) => send('POST', '', { source: 'link', targetFileId: (await inside()).id }),
  ],
]

const WRITING: Operation[] = [
  [
    'create a folder in the project',
    ({ send, project }) => send('POST', '', { source: 'folder', name: 'x', projectId: project.id }),
  ],
  [
    'create a folder in a subfolder',
    async ({ send, folder }) => send('POST', '', { source: 'folder', name: 'x', parentId: await folder() }),
  ],
  [
    'request an upload URL',
    ({ send, project }) =>
      send('POST', '', { name: 'a.txt', mimeType: 'text/plain', size: 1, projectId: project.id }),
  ],
  ['upload by projectId', ({ form, project }) => form({ projectId: project.id })],
  ['upload into the project folder', ({ form, project }) => form({ parentId: project.folderId })],
  [
    'create a link in the project',
    async ({ send, own, project }) =>
      send('POST', '', { source: 'link', targetFileId: (await own()).id, parentId: project.folderId }),
  ],
  ['rename a file', async ({ send, inside }) => send('PATCH', `/${(await inside()).id}`, { name: 'new' })],
  ['tag a file', async ({ send, inside }) => send('PATCH', `/${(await inside()).id}`, { tags: ['x'] })],
  ['tag the project folder', ({ send, project }) => send('PATCH', `/${project.folderId}`, { tags: ['x'] })],
  [
    'move a file out of the project',
    async ({ send, inside }) => send('PATCH', `/${(await inside()).id}`, { parentId: null }),
  ],
  [
    'move a folder out of the project',
    async ({ send, folder }) => send('PATCH', `/${await folder()}`, { parentId: null }),
  ],
  [
    'move a file into the project',
    async ({ send, own, project }) => send('PATCH', `/${(await own()).id}`, { parentId: project.folderId }),
  ],
  ['delete a file', async ({ send, inside }) => send('DELETE', `/${(await inside()).id}`)],
  ['delete a folder', async ({ send, folder }) => send('DELETE', `/${await folder()}`)],
  ['restore a file', async ({ send, trashed }) => send('POST', `/${await trashed()}/restore`)],
  [
    'restore a file to the root',
    async ({ send, trashed }) => send('POST', `/${await trashed()}/restore`, { parentId: null }),
  ],
  [
    'copy a file within the project',
    async ({ send, inside }) => send('POST', `/${(await inside()).id}/copy`),
  ],
  [
    'copy a file into the project',
    async ({ send, own, project }) =>
      send('POST', `/${(await own()).id}/copy`, { parentId: project.folderId }),
  ],
  [
    'restore a file into the project',
    async ({ send, own, project }) => {
      const { id } = await own()
      await send('DELETE', `/${id}`)
      return send('POST', `/${id}/restore`, { parentId: project.folderId })
    },
  ],
  ['delete a pending upload', async (t) => t.send('DELETE', `/${await createPendingUpload(t)}`)],
]

/** A file with stored content, for the operations that read it. */
async function uploadFile({ project }: Attempt): Promise<string> {
  const fields = { parentId: project.folderId }
  return (await upload(app, members.headers.creator, 'hello', { fields })).body.data.id
}

async function createPendingUpload({ asCreator, project }: Attempt): Promise<string> {
  const body = { name: 'a.txt', mimeType: 'text/plain', size: 1, parentId: project.folderId }
  return (await asCreator('POST', '', body)).body.data.file.id
}

describe.each(['team', 'private'] as const)('a %s project', (visibility) => {
  const runAsEachRole = async (run: Operation[1]) => {
    const outcomes: Record<string, string> = {}
    for (const role of ROLES) {
      const { status, body } = await run(await prepare(visibility, role))
      outcomes[role] = status < 400 ? 'done' : outcomeOf(body.error)
    }
    return outcomes
  }
  const expected = (outcome: (access: 'edit' | 'view' | null) => unknown) =>
    Object.fromEntries(ROLES.map((role) => [role, outcome(EXPECTED_ACCESS[visibility][role])]))

  test.each(READING)('lets only roles with view or edit access %s', async (_, run) => {
    expect(await runAsEachRole(run)).toEqual(expected((access) => (access ? 'done' : 'not found')))
  })

  test.each(WRITING)('lets only roles with edit access %s', async (_, run) => {
    const outcome = { edit: 'done', view: 'view_only' }
    expect(await runAsEachRole(run)).toEqual(expected((access) => (access ? outcome[access] : 'not found')))
  })

  test('lets only its creator and admins with edit access purge a file', async () => {
    const purge: Operation[1] = async ({ send, trashed }) =>
      send('DELETE', `/${await trashed()}?permanent=true`)
    const outcome = { edit: 'done', view: 'view_only' }
    const byAccess = expected((access) => (access ? outcome[access] : 'not found'))
    const team = { ...byAccess, editor: 'not_creator' }
    expect(await runAsEachRole(purge)).toEqual(visibility === 'team' ? team : byAccess)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the error body of any response
const outcomeOf = ({ code, message, details }: any): string => {
  if (code === 'NOT_FOUND' || /is not a folder here$/.test(message)) return 'not found'
  return code === 'FORBIDDEN' ? details.reason : `${code}: ${message}`
}

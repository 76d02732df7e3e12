import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStoredFile } from '../../../testing/clients/file-client.ts'
import {
  EXPECTED_ACCESS,
  type ProjectRole,
  ROLES,
  seedProjectMembers,
} from '../../../testing/factories/project-members.ts'
import { upload } from '../../../testing/factories/uploads.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { expectValidTrees } from '../../../testing/tree-check.ts'

/** What is in the folder of a project is for those who may see the project, whichever way they come. */

let app: TestApp
let world: Awaited<ReturnType<typeof seedProjectMembers>>
let projects: Record<'team' | 'private', Awaited<ReturnType<typeof world.project>>>
beforeAll(async () => {
  app = await buildTestApp()
  world = await seedProjectMembers(app)
  projects = { team: await world.project('team'), private: await world.project('private') }
})
afterAll(async () => {
  await expectValidTrees(app.sql)
  await app.close()
})

/** One try of one person: fresh things in the folder of the project, and something of their own outside. */
async function prepare(visibility: 'team' | 'private', role: ProjectRole) {
  const { people, headers } = world
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

type Try = Awaited<ReturnType<typeof prepare>>
type Way = [string, (given: Try) => Promise<{ status: number; body: { error?: unknown } }>]

/** Those who may only look can do these too. */
const READING: Way[] = [
  ['list the project', ({ send, project }) => send('GET', `?projectId=${project.id}`)],
  ['list its folder', ({ send, project }) => send('GET', `?parentId=${project.folderId}`)],
  ['search in its folder', ({ send, project }) => send('GET', `?parentId=${project.folderId}&search=notes`)],
  ['list a tag in it', ({ send, project }) => send('GET', `?projectId=${project.id}&tag=x`)],
  ['list its trash', ({ send, project }) => send('GET', `?projectId=${project.id}&trashed=true`)],
  ['read its folder', ({ send, project }) => send('GET', `/${project.folderId}`)],
  ['read a file', async ({ send, inside }) => send('GET', `/${(await inside()).id}`)],
  ['preview', async (t) => t.send('GET', `/${await uploaded(t)}/preview`)],
  ['download', async (t) => t.send('GET', `/${await uploaded(t)}?download=true`)],
  ['show inline', async (t) => t.send('GET', `/${await uploaded(t)}?download=true&inline=true`)],
  ['archive', async ({ send, folder }) => send('GET', `/${await folder()}/archive`)],
  [
    'copy out of it',
    async ({ send, inside }) => send('POST', `/${(await inside()).id}/copy`, { parentId: null }),
  ],
  [
    'copy a folder out of it',
    async ({ send, folder }) => send('POST', `/${await folder()}/copy`, { parentId: null }),
  ],
  [
    'link to it',
    async ({ send, inside }) => send('POST', '', { source: 'link', targetFileId: (await inside()).id }),
  ],
]

const WRITING: Way[] = [
  [
    'make a folder in the project',
    ({ send, project }) => send('POST', '', { source: 'folder', name: 'x', projectId: project.id }),
  ],
  [
    'make a folder in a folder',
    async ({ send, folder }) => send('POST', '', { source: 'folder', name: 'x', parentId: await folder() }),
  ],
  [
    'announce an upload',
    ({ send, project }) =>
      send('POST', '', { name: 'a.txt', mimeType: 'text/plain', size: 1, projectId: project.id }),
  ],
  ['upload by its project', ({ form, project }) => form({ projectId: project.id })],
  ['upload into its folder', ({ form, project }) => form({ parentId: project.folderId })],
  [
    'put a link into it',
    async ({ send, own, project }) =>
      send('POST', '', { source: 'link', targetFileId: (await own()).id, parentId: project.folderId }),
  ],
  ['rename', async ({ send, inside }) => send('PATCH', `/${(await inside()).id}`, { name: 'new' })],
  ['retag', async ({ send, inside }) => send('PATCH', `/${(await inside()).id}`, { tags: ['x'] })],
  ['retag its folder', ({ send, project }) => send('PATCH', `/${project.folderId}`, { tags: ['x'] })],
  ['move out', async ({ send, inside }) => send('PATCH', `/${(await inside()).id}`, { parentId: null })],
  ['move a folder out', async ({ send, folder }) => send('PATCH', `/${await folder()}`, { parentId: null })],
  [
    'move in',
    async ({ send, own, project }) => send('PATCH', `/${(await own()).id}`, { parentId: project.folderId }),
  ],
  ['delete', async ({ send, inside }) => send('DELETE', `/${(await inside()).id}`)],
  ['delete a folder', async ({ send, folder }) => send('DELETE', `/${await folder()}`)],
  ['restore', async ({ send, trashed }) => send('POST', `/${await trashed()}/restore`)],
  [
    'restore to elsewhere',
    async ({ send, trashed }) => send('POST', `/${await trashed()}/restore`, { parentId: null }),
  ],
  ['purge', async ({ send, trashed }) => send('DELETE', `/${await trashed()}?permanent=true`)],
  ['copy beside', async ({ send, inside }) => send('POST', `/${(await inside()).id}/copy`)],
  [
    'copy into it',
    async ({ send, own, project }) =>
      send('POST', `/${(await own()).id}/copy`, { parentId: project.folderId }),
  ],
  [
    'restore into it',
    async ({ send, own, project }) => {
      const { id } = await own()
      await send('DELETE', `/${id}`)
      return send('POST', `/${id}/restore`, { parentId: project.folderId })
    },
  ],
  ['delete an upload that was announced', async (t) => t.send('DELETE', `/${await announced(t)}`)],
]

/** With real bytes, for the ways that read them. */
async function uploaded({ project }: Try): Promise<string> {
  const fields = { parentId: project.folderId }
  return (await upload(app, world.headers.creator, 'hello', { fields })).body.data.id
}

async function announced({ asCreator, project }: Try): Promise<string> {
  const body = { name: 'a.txt', mimeType: 'text/plain', size: 1, parentId: project.folderId }
  return (await asCreator('POST', '', body)).body.data.file.id
}

describe.each(['team', 'private'] as const)('a %s project', (visibility) => {
  const tryAll = async (run: Way[1]) => {
    const outcomes: Record<string, string> = {}
    for (const role of ROLES) {
      const { status, body } = await run(await prepare(visibility, role))
      outcomes[role] = status < 400 ? 'done' : outcomeOf(body.error)
    }
    return outcomes
  }
  const expected = (allowed: (may: 'edit' | 'view' | null) => unknown) =>
    Object.fromEntries(ROLES.map((role) => [role, allowed(EXPECTED_ACCESS[visibility][role])]))

  test.each(READING)('to %s is for those who may see it', async (_, run) => {
    expect(await tryAll(run)).toEqual(expected((may) => (may ? 'done' : 'is not there')))
  })

  test.each(WRITING)('to %s is for those who may change it', async (_, run) => {
    const outcome = { edit: 'done', view: 'view_only' }
    expect(await tryAll(run)).toEqual(expected((may) => (may ? outcome[may] : 'is not there')))
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the error of an answer, whatever it is
const outcomeOf = ({ code, message, details }: any): string => {
  if (code === 'NOT_FOUND' || /is not a folder here$/.test(message)) return 'is not there'
  return code === 'FORBIDDEN' ? details.reason : `${code}: ${message}`
}

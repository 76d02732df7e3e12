import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createdRecord, createStoredFile } from '../../../testing/clients/file-client.ts'
import { createTestCanvas } from '../../../testing/factories/canvas.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test("the navigator lists a project's files as a tree, its groups and blocks, and their counts", async () => {
  const canvas = await createTestCanvas(app)
  const { project, projectId, person } = canvas
  const { files } = app.as(bearer(await app.key(person, ['files:write'])))
  const folder = createdRecord(
    await files.create({ source: 'folder', name: 'plans', parentId: project.folderId }),
  )
  const deep = createdRecord(await files.create({ source: 'folder', name: 'old', parentId: folder.id }))
  const draft = await createStoredFile(app, person, { name: 'draft.txt', parentId: deep.id })
  const readme = await createStoredFile(app, person, { name: 'readme.txt', parentId: project.folderId })
  await createStoredFile(app, person, { name: 'elsewhere.txt' })

  const group = await canvas.block({ type: 'group', title: 'Ideas' })
  const titled = await canvas.block({ title: 'First', content: 'Body', parentId: group.id, y: 1 })
  const long = await canvas.block({ content: `\n\n## ${'Word '.repeat(30)}\nmore`, y: 2 })
  const short = await canvas.block({ title: '', content: '- [ ] Buy milk\n', y: 3 })
  const empty = await canvas.block({ content: ' \n ', y: 4 })
  await canvas.edge(titled.id, long.id)

  const file = { mimeType: 'text/plain', size: 5, source: 'upload' }
  const directory = { mimeType: 'inode/directory', size: 0, source: 'folder' }
  const ideas = { type: 'group', title: 'Ideas', parentId: null }
  const note = { type: 'note', parentId: null }
  expect(await canvas.client.projects.navigator({ id: projectId })).toEqual({
    project: { id: projectId, name: project.name, slug: project.slug, emoji: null },
    files: [
      {
        id: folder.id,
        name: 'plans',
        ...directory,
        children: [
          {
            id: deep.id,
            name: 'old',
            ...directory,
            children: [{ id: draft.id, name: 'draft.txt', ...file }],
          },
        ],
      },
      { id: readme.id, name: 'readme.txt', ...file },
    ],
    canvas: {
      groups: [{ id: group.id, ...ideas }],
      blocks: [
        { id: titled.id, ...note, title: 'First', parentId: group.id },
        { id: long.id, ...note, title: `${'Word '.repeat(16).trim().slice(0, 79)}…` },
        { id: short.id, ...note, title: 'Buy milk' },
        { id: empty.id, ...note, title: null },
      ],
    },
    counts: { files: 2, folders: 2, groups: 1, blocks: 4, edges: 1 },
  })
})

describe("a block's file", () => {
  const fileReader = async (person: Person) => bearer(await app.key(person, ['files:read']))
  const createFileBlock = async () => {
    const canvas = await createTestCanvas(app)
    const { person, project } = canvas
    const file = await createStoredFile(app, person, { parentId: project.folderId })
    await app.app.system().objects.put(file.objectKey!, Readable.from([Buffer.from('hello')]))
    const block = await canvas.block({ type: 'file', fileId: file.id })
    const headers = await fileReader(person)
    const read = (range = {}) =>
      app.request('GET', `${canvas.path}/blocks/${block.id}/file`, {
        headers: { ...headers, ...range },
      })
    return { ...canvas, file, block, read }
  }

  test('is served through the block, by range, with headers that keep it from running in a browser', async () => {
    const { read } = await createFileBlock()
    const { status, text, headers } = await read()
    expect([status, text, headers.get('content-type')]).toEqual([200, 'hello', 'text/plain; charset=utf-8'])
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('content-disposition')).toMatch(/^inline/)
    const part = await read({ range: 'bytes=1-2' })
    expect([part.status, part.text]).toEqual([206, 'el'])
  })

  test('is NOT_FOUND when trashed or moved out of the project', async () => {
    const { read, org, file } = await createFileBlock()
    await app.sql`update files set parent_id = ${org.id} where org_id = ${org.id} and id = ${file.id}`
    expect((await read()).status).toBe(404)
    const other = await createFileBlock()
    await app.sql`update files set deleted_at = now(), trashed_from = '[]' where org_id = ${other.org.id} and id = ${other.file.id}`
    expect((await other.read()).status).toBe(404)
  })

  test('is NOT_FOUND for a block without a file', async () => {
    const canvas = await createTestCanvas(app)
    const { id } = await canvas.block()
    const { status, body } = await app.request('GET', `${canvas.path}/blocks/${id}/file`, {
      headers: await fileReader(canvas.person),
    })
    expect([status, body.error.message]).toEqual([404, 'File not found'])
  })
})

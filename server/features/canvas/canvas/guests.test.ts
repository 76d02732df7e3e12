import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStoredFile } from '../../../testing/clients/file-client.ts'
import { createSharedProject, guestHeaders } from '../../../testing/factories/sharing.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test("a guest's change has no author, in the block and in the history", async () => {
  const { project, browser, token } = await createSharedProject(app, { access: 'edit' })
  const projectId = project.id
  const guest = app.as(await guestHeaders(app, token)).canvas
  const block = await guest.create({ projectId, type: 'note' })
  expect(block.createdBy).toBeNull()
  await guest.move({ projectId, positions: [{ id: block.id, x: 1, y: 1 }] })
  await guest.change({ projectId, delete: { blocks: [block.id] } })
  const { items } = await browser.canvas.history({ projectId })
  expect(items.map(({ action, by }) => [action, by])).toEqual([
    ['deleted', null],
    ['moved', null],
    ['created', null],
  ])
})

test("a guest can't change the canvas for a run, even with its id", async () => {
  const { project, browser, token } = await createSharedProject(app, { access: 'edit' })
  const projectId = project.id
  const { id: runId } = await browser.runs.start({ projectId })
  const guest = app.as(await guestHeaders(app, token)).canvas
  await expect(guest.create({ projectId, type: 'note', runId })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    details: [{ path: 'body.runId', message: 'must be a run in progress in this project' }],
  })
})

test('a guest can read only files in blocks', async () => {
  const { project, browser, token } = await createSharedProject(app, { access: 'view' })
  const { folderId } = await browser.projects.get({ id: project.id })
  const file = await createStoredFile(app, project.creator, { parentId: folderId! })
  await app.app.system().objects.put(file.objectKey!, Readable.from([Buffer.from('hello')]))
  const block = await browser.canvas.create({ projectId: project.id, type: 'file', fileId: file.id })
  const headers = await guestHeaders(app, token)
  const shown = await app.request('GET', `/api/v1/projects/${project.id}/blocks/${block.id}/file`, {
    headers,
  })
  expect([shown.status, shown.text]).toEqual([200, 'hello'])
  expect((await app.request('GET', `/api/v1/files/${file.id}?download=true`, { headers })).status).toBe(401)
})

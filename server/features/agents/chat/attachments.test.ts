import { beforeAll, expect, test } from 'vitest'
import { createStoredFile } from '../../../testing/clients/file-client.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

test("a message attaches only files the sender can see and blocks in the session's project", async () => {
  const { org, person, client } = await app.newUser()
  const [project, otherProject] = [await app.project(person), await app.project(person)]
  const colleague = await app.person(org)
  const hidden = await app.project(colleague, { visibility: 'private' })
  const secret = await createStoredFile(app, colleague, { name: 'salaries.txt', parentId: hidden.folderId })
  const open = await createStoredFile(app, person, { name: 'plan.txt', parentId: otherProject.folderId })
  const upload = await createStoredFile(app, person, {
    name: 'half.txt',
    parentId: project.folderId,
    status: 'pending',
  })
  const block = (projectId: string) => client.canvas.create({ projectId, type: 'text', title: 'Note' })
  const [here, there] = [await block(project.id), await block(otherProject.id)]
  const start = (message: { fileIds?: string[]; blockIds?: string[] }) =>
    client.sessions.create({ projectId: project.id, message: { content: 'Look', ...message } })

  for (const id of [secret.id, upload.id])
    await expect(start({ fileIds: [open.id, id] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.fileIds.1', message: 'does not exist or is not visible to you' }],
    })
  await expect(start({ blockIds: [there.id] })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  const { message } = await start({ fileIds: [open.id], blockIds: [here.id] })
  expect(message!.content.slice(1)).toEqual([
    { type: 'file', fileId: open.id, version: 1, name: 'plan.txt', mimeType: 'text/plain' },
    { type: 'text', text: `[Attached block: "Note", id ${here.id}]` },
  ])
})

import { beforeAll, expect, test } from 'vitest'
import { createFileClient } from '../../../testing/clients/file-client.ts'
import { putBytes, upload } from '../../../testing/factories/uploads.ts'
import { bearer, shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { unzip } from '../../../testing/unzip.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

test('a single space is accepted as the name for a folder, upload, form, link, copy and rename', async () => {
  const client = await createFileClient(app)
  const headers = bearer(await app.key(client.person, ['files:write']))
  const { id: parentId } = await client.folder(' ')

  const pending = await app.request('POST', '/api/v1/files', {
    headers,
    body: { name: ' ', mimeType: 'text/plain', size: 1, parentId },
  })
  expect(pending.status).toBe(201)
  expect((await putBytes(pending.body.data.uploadUrl, '1')).status).toBe(200)
  const form = await upload(app, headers, '2', { name: ' ', type: 'text/plain', fields: { parentId } })
  expect([form.status, form.body.data.name]).toEqual([201, ' '])
  const { data: renamed } = (await upload(app, headers, '3', { fields: { parentId } })).body
  expect((await client.files.update({ id: renamed.id, name: ' ' })).name).toBe(' ')
  const link = await client.files.create({ source: 'link', name: ' ', targetFileId: renamed.id, parentId })
  expect('file' in link && link.file.name).toBe(' ')
  expect((await client.files.copy({ id: renamed.id, name: ' ' })).name).toBe(' ')

  expect(await client.names({ parentId })).toEqual([' ', ' ', ' ', ' ', ' '])
  expect(await client.names({ search: ' ' })).toHaveLength(6)
  const archive = await fetch(`${app.url}/api/v1/files/${parentId}/archive`, { headers })
  const entries = unzip(Buffer.from(await archive.arrayBuffer()))
  expect([...entries.keys()]).toEqual([' /', ' / ', ' /  (2)', ' /  (3)', ' /  (4)', ' /  (5)'])
})

test.each(['', 'a\nb', 'a\rb', 'a\0b', 'x'.repeat(256)])('the name %j is rejected', async (name) => {
  const client = await createFileClient(app)
  await expect(client.folder(name)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

import { beforeAll, expect, test } from 'vitest'
import { createMcpClient } from '../testing/clients/mcp.ts'
import { createPng } from '../testing/factories/pictures.ts'
import { createPreviewFile } from '../testing/factories/preview-files.ts'
import { bearer, shareTestApp, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

test('read_file returns an image as image content', async () => {
  const owner = await app.newUser()
  const bytes = createPng({ width: 2000, height: 1000 })
  const { id } = await createPreviewFile(app, owner, { name: 'a.png', mimeType: 'image/png', bytes })
  const mcp = createMcpClient(app, bearer(await app.key(owner.person)))
  const { content, structuredContent } = await mcp.result('tools/call', {
    name: 'read_file',
    arguments: { file: id },
  })
  expect(structuredContent).toMatchObject({ id, name: 'a.png', mimeType: 'image/png' })
  expect(content).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/png' }])
  expect(Buffer.from(content[1].data, 'base64').readUInt32BE(16)).toBe(1568)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPreviewEntry, createPreviewFile } from '../../../../testing/factories/preview-files.ts'
import { upload } from '../../../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['newUser']>>
beforeAll(async () => {
  app = await buildTestApp()
  owner = await app.newUser()
})
afterAll(() => app.close())

const headersOf = async (user = owner) => bearer(await app.key(user.person, ['files:read']))

async function preview(id: string, headers: Record<string, string> = {}) {
  const answer = await app.request('GET', `/api/v1/files/${id}/preview`, {
    headers: { ...(await headersOf()), ...headers },
  })
  return { ...answer, data: answer.body?.data, error: answer.body?.error }
}

const createFile = (name: string, mimeType: string, bytes: Uint8Array | string) =>
  createPreviewFile(app, owner, { name, mimeType, bytes })

describe('a preview', () => {
  test("returns a text file's content", async () => {
    const { id } = await createFile('notes.txt', 'text/plain', 'Grüße 🦊\n')
    const { status, data } = await preview(id)
    expect([status, data]).toEqual([
      200,
      {
        kind: 'text',
        mimeType: 'text/plain',
        truncated: false,
        text: 'Grüße 🦊\n',
        language: null,
        pages: null,
      },
    ])
  })

  test('returns empty text for an empty file', async () => {
    const { id } = await createFile('empty.txt', 'text/plain', '')
    expect((await preview(id)).data).toMatchObject({ text: '', truncated: false })
  })

  test("returns an image's inline download URL", async () => {
    const { id } = await createFile('fox.png', 'image/png', 'png')
    expect((await preview(id)).data).toEqual({
      kind: 'image',
      mimeType: 'image/png',
      truncated: false,
      url: `/api/v1/files/${id}?download=true&inline=true`,
    })
  })

  test("returns an SVG's source instead of an image", async () => {
    const source = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const { id } = await createFile('fox.svg', 'image/svg+xml', source)
    expect((await preview(id)).data).toMatchObject({ kind: 'text', language: 'xml', text: source })
  })

  test("returns an HTML page's source", async () => {
    const { id } = await createFile('page.html', 'text/html', '<script>alert(1)</script>')
    const { data } = await preview(id)
    expect(data).toMatchObject({ kind: 'text', language: 'html', text: '<script>alert(1)</script>' })
  })

  test('is unsupported for a video', async () => {
    const { id } = await createFile('clip.mp4', 'video/mp4', 'mp4')
    expect((await preview(id)).data).toEqual({ kind: 'unsupported', mimeType: 'video/mp4', truncated: false })
  })

  test('returns a table for an uploaded CSV file', async () => {
    const headers = bearer(await app.key(owner.person, ['files:write']))
    const { body } = await upload(app, headers, 'a;b\n1;2\n', { name: 'table.csv', type: 'text/csv' })
    expect((await preview(body.data.id)).data).toEqual({
      kind: 'table',
      mimeType: 'text/csv',
      truncated: false,
      sheets: [
        {
          name: '',
          rows: [
            ['a', 'b'],
            ['1', '2'],
          ],
          totalRows: 2,
          totalColumns: 2,
        },
      ],
      totalSheets: 1,
    })
  })

  test("returns a link's target preview", async () => {
    const { id } = await createFile('notes.txt', 'text/plain', 'the target')
    const link = await createPreviewEntry(app, owner, id)
    expect((await preview(link.id)).data).toMatchObject({ text: 'the target' })
  })
})

test('a preview is rendered once, and later readers get the same bytes', async () => {
  const { id, key } = await createFile('a.txt', 'text/plain', 'read twice')
  const first = await preview(id)
  await app.app.system().objects.remove(key)
  const second = await preview(id)
  expect([second.status, second.data]).toEqual([200, first.data])
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
})

describe('a preview request', () => {
  test('returns BAD_REQUEST for a folder', async () => {
    const { id } = await createPreviewEntry(app, owner, null)
    const { status, error } = await preview(id)
    expect([status, error.message]).toEqual([400, 'A folder has no preview'])
  })

  test("returns NOT_FOUND for another organization's file", async () => {
    const other = await app.newUser()
    const { id } = await createPreviewFile(app, other, {
      name: 'a.txt',
      mimeType: 'text/plain',
      bytes: 'theirs',
    })
    expect(await preview(id)).toMatchObject({ status: 404, error: { message: 'File not found' } })
  })

  test('returns NOT_FOUND for a trashed file or a link to it', async () => {
    const { id } = await createFile('a.txt', 'text/plain', 'gone')
    const link = await createPreviewEntry(app, owner, id)
    await app.sql`update files set deleted_at = now() where id = ${id}`
    expect(await preview(id)).toMatchObject({ status: 404 })
    expect(await preview(link.id)).toMatchObject({ status: 404 })
  })

  test('returns NOT_FOUND for a file in a trashed folder', async () => {
    const { id } = await createFile('a.txt', 'text/plain', 'gone')
    const folder = await createPreviewEntry(app, owner, null)
    await app.sql`update files set parent_id = ${folder.id} where id = ${id}`
    expect(await preview(id)).toMatchObject({ status: 200 })
    await app.sql`update folders set trashed_by = ${folder.id} where id = ${folder.id}`
    expect(await preview(id)).toMatchObject({ status: 404 })
  })

  test('returns NOT_FOUND for a pending upload', async () => {
    const { id } = await createFile('a.txt', 'text/plain', 'incomplete')
    await app.sql`update files set status = 'pending' where id = ${id}`
    expect(await preview(id)).toMatchObject({ status: 404 })
  })

  test('returns NOT_FOUND for a file whose stored object is missing', async () => {
    const { id, key } = await createFile('a.txt', 'text/plain', 'lost')
    await app.app.system().objects.remove(key)
    expect(await preview(id)).toMatchObject({ status: 404 })
  })

  test('returns BAD_REQUEST with the limit for a file over 25 MB', async () => {
    const { id } = await createFile('a.txt', 'text/plain', 'large')
    const resize = (size: number) => app.sql`update files set size = ${size} where id = ${id}`
    await resize(26_214_401)
    const { status, error } = await preview(id)
    expect([status, error.message]).toEqual([400, 'Only files up to 25 MB can be previewed'])
    await resize(26_214_400)
    expect(await preview(id)).toMatchObject({ status: 200 })
  })

  test('returns BAD_REQUEST with the reason for a broken file', async () => {
    const { id } = await createFile('a.pdf', 'application/pdf', '%PDF-1.7 and then nothing')
    const { status, error } = await preview(id)
    expect([status, error.code, error.details]).toEqual([400, 'BAD_REQUEST', { reason: 'broken' }])
  })
})

describe("a preview's ETag", () => {
  test('returns 304 when If-None-Match matches', async () => {
    const { id } = await createFile('a.txt', 'text/plain', 'same')
    const etag = (await preview(id)).headers.get('etag')!
    expect(await preview(id, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
  })

  test('depends on the content and the preview format', async () => {
    const etagOf = async (name: string, bytes: string) => {
      const { id } = await createFile(name, 'text/plain', bytes)
      return (await preview(id)).headers.get('etag')
    }
    const first = await etagOf('a.txt', '# One')
    expect(await etagOf('b.txt', '# One')).toBe(first)
    expect(await etagOf('a.txt', '# Two')).not.toBe(first)
    expect(await etagOf('a.md', '# One')).not.toBe(first)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPreviewEntry, createPreviewFile } from '../../../testing/factories/preview-files.ts'
import { upload } from '../../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let somebody: Awaited<ReturnType<TestApp['newcomer']>>
beforeAll(async () => {
  app = await buildTestApp()
  somebody = await app.newcomer()
})
afterAll(() => app.close())

const headersOf = async (who = somebody) => bearer(await app.key(who.person, ['files:read']))

async function preview(id: string, headers: Record<string, string> = {}) {
  const answer = await app.request('GET', `/api/v1/files/${id}/preview`, {
    headers: { ...(await headersOf()), ...headers },
  })
  return { ...answer, data: answer.body?.data, error: answer.body?.error }
}

const stored = (name: string, mimeType: string, bytes: Uint8Array | string) =>
  createPreviewFile(app, somebody, { name, mimeType, bytes })

describe('which files have a preview', () => {
  test('a text, as it is', async () => {
    const { id } = await stored('notes.txt', 'text/plain', 'Grüße 🦊\n')
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

  test('an empty file is an empty text', async () => {
    const { id } = await stored('empty.txt', 'text/plain', '')
    expect((await preview(id)).data).toMatchObject({ text: '', truncated: false })
  })

  test('a picture is a reference to itself', async () => {
    const { id } = await stored('fox.png', 'image/png', 'png')
    expect((await preview(id)).data).toEqual({
      kind: 'image',
      mimeType: 'image/png',
      truncated: false,
      url: `/api/v1/files/${id}?download=true&inline=true`,
    })
  })

  test('an SVG is its source, never a picture', async () => {
    const source = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const { id } = await stored('fox.svg', 'image/svg+xml', source)
    expect((await preview(id)).data).toMatchObject({ kind: 'text', language: 'xml', text: source })
  })

  test('a web page is its source, never rendered', async () => {
    const { id } = await stored('page.html', 'text/html', '<script>alert(1)</script>')
    const { data } = await preview(id)
    expect(data).toMatchObject({ kind: 'text', language: 'html', text: '<script>alert(1)</script>' })
  })

  test('a film is unsupported', async () => {
    const { id } = await stored('film.mp4', 'video/mp4', 'mp4')
    expect((await preview(id)).data).toEqual({ kind: 'unsupported', mimeType: 'video/mp4', truncated: false })
  })

  test('what was uploaded', async () => {
    const headers = bearer(await app.key(somebody.person, ['files:write']))
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

  test('a link shows its target', async () => {
    const { id } = await stored('notes.txt', 'text/plain', 'the target')
    const link = await createPreviewEntry(app, somebody, id)
    expect((await preview(link.id)).data).toMatchObject({ text: 'the target' })
  })
})

describe('which do not', () => {
  test('a folder is BAD_REQUEST', async () => {
    const { id } = await createPreviewEntry(app, somebody, null)
    const { status, error } = await preview(id)
    expect([status, error.message]).toEqual([400, 'A folder has no preview'])
  })

  test('a file of another organization is NOT_FOUND', async () => {
    const other = await app.newcomer()
    const { id } = await createPreviewFile(app, other, {
      name: 'a.txt',
      mimeType: 'text/plain',
      bytes: 'theirs',
    })
    expect(await preview(id)).toMatchObject({ status: 404, error: { message: 'File not found' } })
  })

  test('what is in the trash is NOT_FOUND, and so is a link to it', async () => {
    const { id } = await stored('a.txt', 'text/plain', 'gone')
    const link = await createPreviewEntry(app, somebody, id)
    await app.sql`update files set deleted_at = now() where id = ${id}`
    expect(await preview(id)).toMatchObject({ status: 404 })
    expect(await preview(link.id)).toMatchObject({ status: 404 })
  })

  test('what is in a folder in the trash is NOT_FOUND', async () => {
    const { id } = await stored('a.txt', 'text/plain', 'gone')
    const folder = await createPreviewEntry(app, somebody, null)
    await app.sql`update files set parent_id = ${folder.id} where id = ${id}`
    expect(await preview(id)).toMatchObject({ status: 200 })
    await app.sql`update folders set trashed_by = ${folder.id} where id = ${folder.id}`
    expect(await preview(id)).toMatchObject({ status: 404 })
  })

  test('an unfinished upload is NOT_FOUND', async () => {
    const { id } = await stored('a.txt', 'text/plain', 'not all of it')
    await app.sql`update files set status = 'pending' where id = ${id}`
    expect(await preview(id)).toMatchObject({ status: 404 })
  })

  test('bytes that are no longer there are NOT_FOUND', async () => {
    const { id, key } = await stored('a.txt', 'text/plain', 'lost')
    await app.app.system().objects.remove(key)
    expect(await preview(id)).toMatchObject({ status: 404 })
  })

  test('a file of more than 25 MB is BAD_REQUEST, which names the limit', async () => {
    const { id } = await stored('a.txt', 'text/plain', 'large')
    const resize = (size: number) => app.sql`update files set size = ${size} where id = ${id}`
    await resize(26_214_401)
    const { status, error } = await preview(id)
    expect([status, error.message]).toEqual([400, 'Only files up to 25 MB can be previewed'])
    await resize(26_214_400)
    expect(await preview(id)).toMatchObject({ status: 200 })
  })

  test('a broken file is BAD_REQUEST with its reason', async () => {
    const { id } = await stored('a.pdf', 'application/pdf', '%PDF-1.7 and then nothing')
    const { status, error } = await preview(id)
    expect([status, error.code, error.details]).toEqual([400, 'BAD_REQUEST', { reason: 'broken' }])
  })
})

describe('the version of a preview', () => {
  test('answers 304 to whoever has it', async () => {
    const { id } = await stored('a.txt', 'text/plain', 'same')
    const etag = (await preview(id)).headers.get('etag')!
    expect(await preview(id, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
  })

  test('is the same for the same bytes and another for others, or when a new name shows them otherwise', async () => {
    const etagOf = async (name: string, bytes: string) => {
      const { id } = await stored(name, 'text/plain', bytes)
      return (await preview(id)).headers.get('etag')
    }
    const first = await etagOf('a.txt', '# One')
    expect(await etagOf('b.txt', '# One')).toBe(first)
    expect(await etagOf('a.txt', '# Two')).not.toBe(first)
    expect(await etagOf('a.md', '# One')).not.toBe(first)
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { createFileClient, type FileClient } from '../../../../testing/clients/file-client.ts'
import { countObjects, PNG, storedFiles, upload } from '../../../../testing/factories/uploads.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let client: FileClient
beforeAll(async () => {
  app = await shareTestApp()
  client = await createFileClient(app)
})

const texts = () => app.as(client.headers).fileTexts
const post = (body: object, headers = client.headers) =>
  app.request('POST', '/api/v1/files/text', { headers, body })

async function readAll(id: string, limit: number): Promise<string> {
  let whole = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const part = await texts().read({ id, offset, limit })
    whole += part.text
    offset = part.nextOffset
  }
  return whole
}

describe('write', () => {
  test('creates a text file whose type follows from its name', async () => {
    const folder = await client.folder('Notes')
    const file = await texts().write({ name: 'plan.md', text: '# Plan\n', parentId: folder.id, tags: ['a'] })
    expect(file).toMatchObject({ mimeType: 'text/markdown', size: 7, parentId: folder.id, tags: ['a'] })
    expect(await texts().read({ id: file.id })).toMatchObject({ text: '# Plan\n', nextOffset: null })
    expect((await texts().write({ name: 'empty', text: '' })).mimeType).toBe('text/plain')
  })

  test('replaces the content under the same id, and the previous content becomes a version', async () => {
    const folder = await client.folder('Replaced')
    const write = (text: string) => post({ name: 'a.txt', text, parentId: folder.id, replace: true })
    const first = await write('one')
    const second = await write('two, longer')
    expect([first.status, second.status]).toEqual([201, 200])
    const { id } = first.body.data
    expect(second.body.data).toMatchObject({ id, size: 11, createdBy: client.person.id })
    expect(await readAll(id, 100)).toBe('two, longer')
    expect((await client.files.list({ trashed: 'true' })).items).toEqual([])
    await app.as(client.headers).fileVersions.restore({ id, version: 1 })
    expect(await readAll(id, 100)).toBe('one')
    await post({ name: 'a.txt', text: 'another', parentId: folder.id })
    const again = await write('three')
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(again.body.error.message).toContain('Several files in this folder are named a.txt')
  })

  test('counts storage for the content and its versions', async () => {
    const other = await createFileClient(app)
    const used = async () => {
      const [row] = await app.sql<{ counted: number; actual: number }[]>`
        select (select coalesce(sum(amount), 0) from quota_usage where org_id = ${other.person.orgId} and quota = 'storage') as counted,
          (select coalesce(sum(size), 0) from (
            select org_id, size from files union all select org_id, size from file_versions
          ) s where org_id = ${other.person.orgId}) as actual`
      return [Number(row!.counted), Number(row!.actual)]
    }
    for (const text of ['one', 'seventeen chars!!', 'x'])
      await post({ name: 'a.txt', text, replace: true }, other.headers)
    expect(await used()).toEqual([21, 21])
  })

  test('creates one file when three callers write the same new name', async () => {
    const folder = await client.folder('Race')
    const body = { name: 'same.txt', parentId: folder.id, replace: true }
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => post({ ...body, text })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(await client.names({ parentId: folder.id })).toEqual(['same.txt'])
  })

  test('replays a call with the same idempotency key and discards its content', async () => {
    const before = await countObjects(app, client.person.orgId)
    const headers = { ...client.headers, 'idempotency-key': 'text once' }
    const first = await post({ name: 'once.txt', text: 'x' }, headers)
    const second = await post({ name: 'once.txt', text: 'x' }, headers)
    expect(second.text).toBe(first.text)
    expect((await countObjects(app, client.person.orgId)).known).toBe(before.known + 1)
  })

  test.each([
    [{ name: 'a.txt', text: 'a\0b' }, 'body.text must not contain NUL or broken Unicode characters'],
    [{ name: 'a\nb.txt', text: '' }, 'body.name must not contain line breaks'],
    [{ name: 'run.exe', text: 'MZ' }, 'body.name is an executable, which is not allowed'],
    [{ name: 'a.txt' }, 'body.text is required'],
    [
      { name: 'a.txt', text: '', parentId: '01890000-0000-7000-8000-000000000000' },
      'body.parentId is not a folder here',
    ],
  ])('refuses %j and stores nothing', async (body, message) => {
    const before = await storedFiles(app, client.person.orgId)
    const { status, body: answer } = await post(body)
    expect([status, answer.error.message]).toEqual([400, message])
    expect(await storedFiles(app, client.person.orgId)).toBe(before)
  })

  test('refuses to replace a link', async () => {
    const folder = await client.folder('Links')
    const target = await texts().write({ name: 'target.txt', text: 'kept' })
    await client.files.create({ source: 'link', targetFileId: target.id, parentId: folder.id })
    const { status, body } = await post({ name: 'target.txt', text: 'x', parentId: folder.id, replace: true })
    expect([status, body.error.message]).toEqual([400, 'body.name is a link’s name: write its target'])
  })
})

describe('read', () => {
  const sample = 'aé€😀\n'.repeat(40)
  const bytesOf = {
    'utf-8': Buffer.from(sample),
    'utf-16le': Buffer.from(`\ufeff${sample}`, 'utf16le'),
    'utf-16be': Buffer.from(`\ufeff${sample}`, 'utf16le').swap16(),
  }

  test.each(['utf-8', 'utf-16le', 'utf-16be'] as const)("joins a file's parts in %s", async (encoding) => {
    const { body } = await upload(app, client.headers, bytesOf[encoding], { name: 'a.txt' })
    for (const limit of [16, 17, 18, 19, 1000]) expect(await readAll(body.data.id, limit)).toBe(sample)
  })

  test('starts with a whole character at any offset', async () => {
    const { id } = await texts().write({ name: 'a.txt', text: '😀😀' })
    const parts = await Promise.all([0, 1, 2, 3, 4, 8, 99].map((offset) => texts().read({ id, offset })))
    expect(parts.map(({ text }) => text)).toEqual(['😀😀', '😀', '😀', '😀', '😀', '', ''])
  })

  test('refuses an image and names its type', async () => {
    const { body } = await upload(app, client.headers, PNG, { name: 'a.png', type: 'image/png' })
    await expect(texts().read({ id: body.data.id })).rejects.toMatchObject({
      message: 'This file is not text (image/png): use its preview',
      details: { reason: 'not_text' },
    })
  })

  test("hides other organizations' files", async () => {
    const { id } = await texts().write({ name: 'a.txt', text: 'secret' })
    const stranger = await createFileClient(app)
    await expect(app.as(stranger.headers).fileTexts.read({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

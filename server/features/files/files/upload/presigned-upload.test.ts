import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { countObjects, PNG, putBytes, storedFiles } from '../../../../testing/factories/uploads.ts'
import { bearer, type Headers, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function createUploader() {
  const person = await app.person(await app.organization())
  return { headers: bearer(await app.key(person, ['files:write'])), orgId: person.orgId }
}

const NOTE = { name: 'note.txt', mimeType: 'text/plain', size: 5 }
const create = (headers: Headers, body: object) => app.request('POST', '/api/v1/files', { headers, body })

async function createPendingUpload(body: object = NOTE) {
  const { headers, orgId } = await createUploader()
  const { status, body: answer } = await create(headers, body)
  expect(status).toBe(201)
  const { file, uploadUrl } = answer.data
  const read = async () => (await app.request('GET', `/api/v1/files/${file.id}`, { headers })).body.data
  return { headers, orgId, file, uploadUrl: uploadUrl as string, read }
}

test('a presigned upload is hidden from lists until its content is uploaded', async () => {
  const { headers, orgId, file, uploadUrl, read } = await createPendingUpload({ ...NOTE, tags: ['draft'] })
  expect(file).toMatchObject({ ...NOTE, status: 'pending', sha256: null, tags: ['draft'] })
  expect(file.storageUrl).toBe(`/api/v1/files/${file.id}?download=true`)
  const list = () => app.request('GET', '/api/v1/files', { headers })
  expect((await list()).body.data.items).toEqual([])
  expect((await app.request('GET', file.storageUrl, { headers })).status).toBe(404)

  const answer = await putBytes(uploadUrl, 'hello')
  expect([answer.status, answer.body.data.status]).toEqual([200, 'ready'])
  expect(await read()).toMatchObject({ ...NOTE, status: 'ready', sha256: expect.stringMatching(/^2cf24dba/) })
  expect((await list()).body.data.items).toHaveLength(1)
  expect(await countObjects(app, orgId)).toEqual({ known: 1, unfinished: 0 })
  expect(await storedFiles(app, orgId)).toBe(1)
})

test('the upload URL stores the request body unparsed for every content type', async () => {
  for (const type of [
    'application/json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ]) {
    const { uploadUrl } = await createPendingUpload({ name: 'a.json', mimeType: 'application/json', size: 4 })
    const { status } = await putBytes(uploadUrl, '{"a"', { 'content-type': type })
    expect([type, status]).toEqual([type, 200])
  }
})

test('a presigned upload accepts an empty file', async () => {
  const { uploadUrl, read } = await createPendingUpload({ ...NOTE, size: 0 })
  expect((await putBytes(uploadUrl, '')).status).toBe(200)
  expect(await read()).toMatchObject({ size: 0, status: 'ready' })
})

describe('upload URL request', () => {
  const invalidRequests: [string, string, object][] = [
    ['without a name', 'body.name', { ...NOTE, name: undefined }],
    ['without a type', 'body.mimeType', { ...NOTE, mimeType: undefined }],
    ['without a size', 'body.size', { ...NOTE, size: undefined }],
    ['with a negative size', 'body.size', { ...NOTE, size: -1 }],
    ['with a fractional size', 'body.size', { ...NOTE, size: 1.5 }],
    ['with a size over 100 MB', 'body.size', { ...NOTE, size: 104_857_601 }],
    ['with a type that is not allowed', 'body.mimeType', { ...NOTE, mimeType: 'application/x-msdownload' }],
    [
      'with the generic type application/octet-stream',
      'body.mimeType',
      { ...NOTE, mimeType: 'application/octet-stream' },
    ],
    ['for an executable', 'body.mimeType', { ...NOTE, name: 'setup.exe' }],
    ['with a line break in its name', 'body.name', { ...NOTE, name: 'a\nb' }],
    ['with NUL in its name', 'body.name', { ...NOTE, name: 'a\0b' }],
    [
      'with a link target',
      'body.targetFileId',
      { ...NOTE, targetFileId: '01890000-0000-7000-8000-000000000000' },
    ],
    [
      'for a folder that does not exist',
      'body.parentId',
      { ...NOTE, parentId: '01890000-0000-7000-8000-000000000000' },
    ],
  ]
  test.each(invalidRequests)('%s is rejected', async (_, path, body) => {
    const { headers, orgId } = await createUploader()
    const answer = await create(headers, body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(answer.body.error.details[0].path).toBe(path)
    expect(await countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
  })
})

describe('content that contradicts its declaration', () => {
  test.each([
    ['too few bytes', NOTE, 'hell', 'exactly 5 bytes'],
    ['too many bytes', NOTE, 'hello!', 'exactly 5 bytes'],
    ['a different type', { ...NOTE, size: PNG.length }, PNG, 'Not a valid text file (detected image/png)'],
    ['invalid text', NOTE, Buffer.from([0x68, 0xff, 0xfe, 0xff, 0x68]), 'Not a valid text file'],
  ])('is rejected and can be uploaded again: %s', async (_, body, content, message) => {
    const { orgId, uploadUrl, read } = await createPendingUpload(body)
    const refused = await putBytes(uploadUrl, content)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(refused.body.error.message).toContain(message)
    expect(refused.body.error.details[0].path).toBe('body')
    expect(await read()).toMatchObject({ status: 'pending' })
    expect(await countObjects(app, orgId)).toEqual({ known: 1, unfinished: 1 })
    expect(await storedFiles(app, orgId)).toBe(0)
    expect((await putBytes(uploadUrl, 'x'.repeat(body.size))).status).toBe(200)
  })

  test.each([
    ['too few bytes', 4],
    ['too many bytes', 6],
  ])('is rejected without a Content-Length header: %s', async (_, size) => {
    const { orgId, uploadUrl } = await createPendingUpload()
    const content = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('x'.repeat(size)))
        controller.close()
      },
    })
    const answer = await fetch(uploadUrl, { method: 'PUT', body: content, duplex: 'half' } as RequestInit)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('must be exactly 5 bytes')
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test('is removed when the client disconnects during the upload', async () => {
    const { orgId, uploadUrl, read } = await createPendingUpload({ ...NOTE, size: 20_000_000 })
    const { hostname, port, pathname } = new URL(uploadUrl)
    const socket = connect(Number(port), hostname)
    socket.write(
      `PUT ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 20000000\r\n\r\n${'a'.repeat(200_000)}`,
    )
    await expect.poll(() => countObjects(app, orgId)).toEqual({ known: 2, unfinished: 2 })
    socket.destroy()
    await expect.poll(() => countObjects(app, orgId)).toEqual({ known: 1, unfinished: 1 })
    expect(await storedFiles(app, orgId)).toBe(0)
    expect(await read()).toMatchObject({ status: 'pending' })
  })
})

describe('the upload URL', () => {
  test('accepts content once', async () => {
    const { uploadUrl, read } = await createPendingUpload()
    await putBytes(uploadUrl, 'hello')
    const second = await putBytes(uploadUrl, 'other')
    expect([second.status, second.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await read()).sha256).toMatch(/^2cf24dba/)
  })

  test('accepts one concurrent upload and removes the content from the rest', async () => {
    const { orgId, uploadUrl, read } = await createPendingUpload({ ...NOTE, size: 300_000 })
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((letter) => putBytes(uploadUrl, letter.repeat(300_000))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const winner = answers.find(({ status }) => status === 200)!.body.data
    expect((await read()).sha256).toBe(winner.sha256)
    expect(await countObjects(app, orgId)).toEqual({ known: 1, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(1)
  })

  test('expires after 15 minutes', async () => {
    const { uploadUrl } = await createPendingUpload()
    app.clock.advance(15 * 60 + 1)
    const { status, body } = await putBytes(uploadUrl, 'hello')
    expect([status, body.error.details]).toEqual([401, { reason: 'expired' }])
  })

  test('rejects a changed signature, a malformed token and a read', async () => {
    const { uploadUrl } = await createPendingUpload()
    const changed = await putBytes(
      uploadUrl.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'hello',
    )
    expect([changed.status, changed.body.error.details]).toEqual([401, { reason: 'bad_signature' }])
    const read = await fetch(uploadUrl)
    expect([read.status, (await read.json()).error.details]).toEqual([401, { reason: 'wrong_method' }])
    const nonsense = await putBytes(`${app.url}/api/v1/objects/nonsense`, 'hello')
    expect([nonsense.status, nonsense.body.error.details]).toEqual([401, { reason: 'malformed' }])
  })

  test('returns 404 once the file is in the trash', async () => {
    const { headers, file, uploadUrl } = await createPendingUpload()
    await app.sql`update files set deleted_at = now() where id = ${file.id}`
    expect((await putBytes(uploadUrl, 'hello')).status).toBe(404)
    expect((await app.request('GET', `/api/v1/files/${file.id}`, { headers })).status).toBe(404)
  })
})

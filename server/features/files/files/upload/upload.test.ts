import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FILE_BYTES_MAX } from '../../../../../contract/files/files.ts'
import { countObjects, PNG, sendForm, storedFiles, upload } from '../../../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

async function createUploader() {
  const person = await app.person(await app.organization())
  const headers = bearer(await app.key(person, ['files:write']))
  return { person, headers, client: app.as(headers), orgId: person.orgId }
}

test('a multipart form uploads a file in one request and returns its record', async () => {
  const { headers, person } = await createUploader()
  const { status, body } = await upload(app, headers, 'Grüße', { name: 'Notiz.txt', type: 'text/plain' })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({
    name: 'Notiz.txt',
    mimeType: 'text/plain',
    size: 7,
    sha256: 'f83e039796c6453a10f5519e39fd113901572316a1a8ea07cb525d2801dfd074',
    source: 'upload',
    status: 'ready',
    parentId: null,
    createdBy: person.id,
    storageUrl: `/api/v1/files/${body.data.id}?download=true`,
  })
})

test('an empty upload creates a 0-byte file', async () => {
  const { headers } = await createUploader()
  const { status, body } = await upload(app, headers, '', { name: 'empty.csv' })
  expect([status, body.data.size, body.data.mimeType]).toEqual([201, 0, 'text/csv'])
})

test('the form accepts fields before and after the file', async () => {
  const { headers, client } = await createUploader()
  const { file: folder } = (await client.files.create({ source: 'folder', name: 'In' })) as {
    file: { id: string }
  }
  const fields = ['parentId', 'file']
  for (const order of [fields, fields.toReversed()]) {
    const form = new FormData()
    for (const name of order) {
      if (name === 'file') form.set('file', new Blob(['x']), 'x.txt')
      else form.set(name, folder.id)
    }
    const { status, body } = await sendForm(app, headers, form)
    expect([status, body.data?.parentId]).toEqual([201, folder.id])
  }
})

test('an empty parentId stores the file in the root folder', async () => {
  const { headers } = await createUploader()
  const { status, body } = await upload(app, headers, 'x', { fields: { parentId: '' } })
  expect([status, body.data.parentId]).toEqual([201, null])
})

describe('form file name', () => {
  test.each([
    ['日本語 🗂️ naïve.txt', '日本語 🗂️ naïve.txt'],
    ['he said "hi" & left;.txt', 'he said "hi" & left;.txt'],
    ["it's 100% <b>bold<b>.txt", "it's 100% <b>bold<b>.txt"],
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\fakepath\\report.txt', 'report.txt'],
    [`${'ö'.repeat(251)}.txt`, `${'ö'.repeat(251)}.txt`],
    ['   ', '   '],
  ])('%s is stored as %s', async (sentName, name) => {
    const { headers } = await createUploader()
    const { status, body } = await upload(app, headers, 'x', { name: sentName })
    expect([status, body.data?.name]).toEqual([201, name])
  })

  test.each([['two\nlines.txt'], ['a\r.txt'], [`${'a'.repeat(252)}.txt`]])(
    'is rejected when it is %j',
    async (name) => {
      const { headers, orgId } = await createUploader()
      const { status, body } = await upload(app, headers, 'x', { name })
      expect([status, body.error.code, body.error.details[0].path]).toEqual([400, 'BAD_REQUEST', 'body.file'])
      expect(await countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    },
  )

  test('is decoded from the RFC 8187 filename* parameter', async () => {
    const { headers } = await createUploader()
    const part = [
      `Content-Disposition: form-data; name="file"; filename*=UTF-8''%E2%82%AC%20rates.txt`,
      'Content-Type: text/plain',
      '',
      'x',
    ]
    const { status, body } = await app.request('POST', '/api/v1/files', {
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=cut' },
      body: ['--cut', ...part, '--cut--', ''].join('\r\n'),
    })
    expect([status, body.data?.name]).toEqual([201, '€ rates.txt'])
  })
})

describe('an invalid form', () => {
  const file = (type = 'text/plain', content: string | Uint8Array = 'x', name = 'a.txt') =>
    ['file', new File([content as BlobPart], name, { type })] as const
  const invalidForms: [string, string, (readonly [string, string | File])[]][] = [
    ['no file', 'body.file is required', [['parentId', '']]],
    ['text instead of a file', 'body.file must be a file with a name', [['file', 'text']]],
    ['a file without a name', 'body.file must be a file with a name', [file('text/plain', 'x', '')]],
    ['two files', 'body.file must not be sent twice', [file(), file()]],
    ['an unknown field', 'body.surprise is not a known field', [file(), ['surprise', '1']]],
    ['a file in an unknown field', 'body.other is not a known field', [['other', file()[1]], file()]],
    ['a parentId that is not a UUID', 'body.parentId must be a UUID', [file(), ['parentId', 'nonsense']]],
    ['parentId twice', 'body.parentId must not be sent twice', [['parentId', ''], ['parentId', ''], file()]],
    [
      'a field that exceeds 4096 bytes',
      'body.parentId must be at most 4096 bytes',
      [['parentId', 'x'.repeat(5000)], file()],
    ],
    ['text declared as PNG', 'Not a valid PNG (detected text)', [file('image/png')]],
    ['a PNG declared as PDF', 'Not a valid PDF (detected image/png)', [file('application/pdf', PNG)]],
    ['a type that is not allowed', 'body.file has the type font/ttf', [file('font/ttf')]],
    ['an executable', 'body.file is an executable', [file('text/plain', 'x', 'a.exe')]],
  ]
  test.each(invalidForms)('is rejected with %s and stores nothing', async (_, message, parts) => {
    const { headers, orgId } = await createUploader()
    const form = new FormData()
    for (const [name, value] of parts) form.append(name, value)
    const { status, body } = await sendForm(app, headers, form)
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.error.message).toContain(message)
    const path = /^body\.\w+/.exec(message)?.[0] ?? 'body.file'
    expect(body.error.details[0].path).toBe(path)
    expect(await countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test('is rejected for text with NUL after 900 KB and stores nothing', async () => {
    const { headers, orgId } = await createUploader()
    const content = Buffer.alloc(1_000_000, 'a')
    content[900_000] = 0
    const { status, body } = await upload(app, headers, content, { type: 'text/plain' })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('without NUL')])
    expect(await countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test("is rejected for another organization's folder and stores nothing", async () => {
    const [mine, theirs] = [await createUploader(), await createUploader()]
    const { file } = (await theirs.client.files.create({ source: 'folder', name: 'X' })) as {
      file: { id: string }
    }
    const { status, body } = await upload(app, mine.headers, 'x', { fields: { parentId: file.id } })
    expect([status, body.error.details[0].path]).toEqual([400, 'body.parentId'])
    expect(await countObjects(app, mine.orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, mine.orgId)).toBe(0)
  })

  test.each([
    ['has no boundary', 'multipart/form-data', 'x'],
    ['has a boundary of 300 characters', `multipart/form-data; boundary=${'b'.repeat(300)}`, 'x'],
    [
      'is truncated',
      'multipart/form-data; boundary=cut',
      '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
    ],
    ['contains no parts', 'multipart/form-data; boundary=cut', 'nonsense'],
  ])('is rejected if it %s, and stores nothing', async (_, type, body) => {
    const { headers, orgId } = await createUploader()
    const answer = await app.request('POST', '/api/v1/files', {
      headers: { ...headers, 'content-type': type },
      body,
    })
    const message = expect.stringMatching(
      /^The form is not complete|requires a boundary with 1 to 70 characters$/,
    )
    expect([answer.status, answer.body.error.message]).toEqual([400, message])
    expect(await countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
  })

  test('is rejected by JSON-only endpoints, as are unsupported content types', async () => {
    const { headers } = await createUploader()
    for (const [path, type] of [
      ['/api/v1/feedback', 'multipart/form-data; boundary=cut'],
      ['/api/v1/files', 'text/plain'],
      ['/api/v1/files', 'application/x-www-form-urlencoded'],
    ] as const) {
      const answer = await app.request('POST', path, {
        headers: { ...headers, 'content-type': type },
        body: 'x',
      })
      expect([answer.status, answer.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
  })
})

describe('the size limit', () => {
  const large = (bytes: number) =>
    new Blob(Array.from({ length: 8 }, () => new Uint8Array(bytes / 8).fill(97)))

  test('accepts a file of exactly 100 MB', async () => {
    const { headers } = await createUploader()
    const { status, body } = await upload(app, headers, large(FILE_BYTES_MAX))
    expect([status, body.data.size]).toEqual([201, FILE_BYTES_MAX])
  })

  test('rejects a file above 100 MB with an error body while the client is still sending', async () => {
    const { headers, orgId } = await createUploader()
    const { status, body } = await upload(
      app,
      headers,
      new Blob([large(FILE_BYTES_MAX), 'x', large(8_000_000)]),
    )
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.error.message).toBe('body.file must be at most 104857600 bytes (100 MB)')
    expect(await countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })
})

describe('an upload over a raw socket', () => {
  const HEAD = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'
  const open = async (headers: Record<string, string>, length: number) => {
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {})
    const lines = [
      'POST /api/v1/files HTTP/1.1',
      `Host: ${hostname}`,
      `Authorization: ${headers.authorization}`,
      'Content-Type: multipart/form-data; boundary=cut',
      `Content-Length: ${length}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    return { socket, received: () => received }
  }

  test('stores nothing when the client disconnects during the upload', async () => {
    const { headers, orgId } = await createUploader()
    const { socket } = await open(headers, 50_000_000)
    socket.write(`${HEAD}Content-Type: text/plain\r\n\r\n${'a'.repeat(200_000)}`)
    await expect.poll(() => countObjects(app, orgId)).toEqual({ known: 1, unfinished: 1 })
    socket.destroy()
    await expect.poll(() => countObjects(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test('is rejected before the client has sent everything; the connection stays usable', async () => {
    const { headers } = await createUploader()
    const content = 'a'.repeat(3_000_000)
    const start = `${HEAD}Content-Type: image/png\r\n\r\n`
    const { socket, received } = await open(headers, start.length + content.length)
    socket.write(start + content.slice(0, 100_000))
    await expect.poll(received).toContain('Not a valid PNG')
    await expect.poll(received).toContain('"path":"body.file"')
    expect(received()).toMatch(/^HTTP\/1\.1 400 /)
    socket.write(content.slice(100_000))
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
    expect(received()).toContain('HTTP/1.1 200 OK')
  })
})

describe('upload Idempotency-Key', () => {
  const repeated = { headers: { 'idempotency-key': 'upload-1' }, name: 'a.txt' }

  test('replays the response for an identical form and stores one object', async () => {
    const { headers, orgId } = await createUploader()
    const first = await upload(app, headers, 'same', repeated)
    const second = await upload(app, headers, 'same', repeated)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await countObjects(app, orgId)).toEqual({ known: 1, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(1)
  })

  test.each([
    ['content', 'other', {}],
    ['name', 'same', { name: 'b.txt' }],
    ['parentId', 'same', { fields: { parentId: '' } }],
  ])('is rejected when the repeated form has a different %s', async (_, content, overrides) => {
    const { headers, orgId } = await createUploader()
    await upload(app, headers, 'same', repeated)
    const { status, body } = await upload(app, headers, content, { ...repeated, ...overrides })
    expect([status, body.error.details[0].path]).toEqual([400, 'headers.idempotency-key'])
    expect(await countObjects(app, orgId)).toEqual({ known: 1, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(1)
  })
})

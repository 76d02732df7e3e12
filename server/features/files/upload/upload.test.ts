import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FILE_BYTES_MAX } from '../../../../contract/files/files.ts'
import { objectsOf, PNG, sendForm, storedFiles, upload } from '../../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

async function somebody() {
  const person = await app.person(await app.organization())
  const headers = bearer(await app.key(person, ['files:write']))
  return { person, headers, client: app.as(headers), orgId: person.orgId }
}

test('a form uploads a file in one step and answers with its record', async () => {
  const { headers, person } = await somebody()
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

test('an upload of nothing is a file too', async () => {
  const { headers } = await somebody()
  const { status, body } = await upload(app, headers, '', { name: 'empty.csv' })
  expect([status, body.data.size, body.data.mimeType]).toEqual([201, 0, 'text/csv'])
})

test('fields may come before or after the file', async () => {
  const { headers, client } = await somebody()
  const { file: folder } = (await client.files.create({ source: 'folder', name: 'In' })) as {
    file: { id: string }
  }
  for (const order of [
    ['parentId', 'file'],
    ['file', 'parentId'],
  ]) {
    const form = new FormData()
    for (const name of order) {
      if (name === 'file') form.set('file', new Blob(['x']), 'x.txt')
      else form.set(name, folder.id)
    }
    const { status, body } = await sendForm(app, headers, form)
    expect([status, body.data?.parentId]).toEqual([201, folder.id])
  }
})

test('an empty parentId is the root', async () => {
  const { headers } = await somebody()
  const { status, body } = await upload(app, headers, 'x', { fields: { parentId: '' } })
  expect([status, body.data.parentId]).toEqual([201, null])
})

describe('names', () => {
  test.each([
    ['日本語 🗂️ naïve.txt', '日本語 🗂️ naïve.txt'],
    ['he said "hi" & left;.txt', 'he said "hi" & left;.txt'],
    ["it's 100% <b>bold<b>.txt", "it's 100% <b>bold<b>.txt"],
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\fakepath\\report.txt', 'report.txt'],
    [`${'ö'.repeat(251)}.txt`, `${'ö'.repeat(251)}.txt`],
  ])('%s arrives as %s', async (sent, name) => {
    const { headers } = await somebody()
    const { status, body } = await upload(app, headers, 'x', { name: sent })
    expect([status, body.data?.name]).toEqual([201, name])
  })

  test.each([['two\nlines.txt'], ['a\r.txt'], [`${'a'.repeat(252)}.txt`], ['   ']])(
    '%j is refused',
    async (name) => {
      const { headers, orgId } = await somebody()
      const { status, body } = await upload(app, headers, 'x', { name })
      expect([status, body.error.code, body.error.details[0].path]).toEqual([400, 'BAD_REQUEST', 'body.file'])
      expect(await objectsOf(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    },
  )

  test('may be sent as RFC 8187 has it', async () => {
    const { headers } = await somebody()
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

describe('a refused form says why and leaves nothing behind', () => {
  const file = (type = 'text/plain', content: string | Uint8Array = 'x', name = 'a.txt') =>
    ['file', new File([content as BlobPart], name, { type })] as const
  const refusals: [string, string, (readonly [string, string | File])[]][] = [
    ['no file', 'body.file is required', [['parentId', '']]],
    ['text instead of a file', 'body.file must be a file with a name', [['file', 'text']]],
    ['a file without a name', 'body.file must be a file with a name', [file('text/plain', 'x', '')]],
    ['two files', 'body.file must not be sent twice', [file(), file()]],
    ['an unknown field', 'body.surprise is not a known field', [file(), ['surprise', '1']]],
    ['an unknown file', 'body.other is not a known field', [['other', file()[1]], file()]],
    ['a folder that is none', 'body.parentId must be a UUID', [file(), ['parentId', 'nonsense']]],
    ['a folder twice', 'body.parentId must not be sent twice', [['parentId', ''], ['parentId', ''], file()]],
    [
      'a field without end',
      'body.parentId must be at most 4096 bytes',
      [['parentId', 'x'.repeat(5000)], file()],
    ],
    ['text as a picture', 'Not a valid PNG (detected text)', [file('image/png')]],
    ['a picture as a document', 'Not a valid PDF (detected image/png)', [file('application/pdf', PNG)]],
    ['a type that is not allowed', 'body.file has the type font/ttf', [file('font/ttf')]],
    ['a program', 'body.file is an executable', [file('text/plain', 'x', 'a.exe')]],
  ]
  test.each(refusals)('%s', async (_, message, parts) => {
    const { headers, orgId } = await somebody()
    const form = new FormData()
    for (const [name, value] of parts) form.append(name, value)
    const { status, body } = await sendForm(app, headers, form)
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.error.message).toContain(message)
    expect(await objectsOf(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test('text that turns out not to be text far behind its beginning', async () => {
    const { headers, orgId } = await somebody()
    const content = Buffer.alloc(1_000_000, 'a')
    content[900_000] = 0
    const { status, body } = await upload(app, headers, content, { type: 'text/plain' })
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('without NUL')])
    expect(await objectsOf(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test('a folder of somebody else', async () => {
    const [mine, theirs] = [await somebody(), await somebody()]
    const { file } = (await theirs.client.files.create({ source: 'folder', name: 'X' })) as {
      file: { id: string }
    }
    const { status, body } = await upload(app, mine.headers, 'x', { fields: { parentId: file.id } })
    expect([status, body.error.details[0].path]).toEqual([400, 'body.parentId'])
    expect(await objectsOf(app, mine.orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, mine.orgId)).toBe(0)
  })

  test.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'that breaks off',
      'multipart/form-data; boundary=cut',
      '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
    ],
    ['that is nonsense', 'multipart/form-data; boundary=cut', 'nonsense'],
  ])('a form %s', async (_, type, body) => {
    const { headers, orgId } = await somebody()
    const answer = await app.request('POST', '/api/v1/files', {
      headers: { ...headers, 'content-type': type },
      body,
    })
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'The form is not complete multipart/form-data',
    ])
    expect(await objectsOf(app, orgId)).toEqual({ known: 0, unfinished: 0 })
  })

  test('a form where none is taken, and a type that nothing takes', async () => {
    const { headers } = await somebody()
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

describe('size', () => {
  const large = (bytes: number) =>
    new Blob(Array.from({ length: 8 }, () => new Uint8Array(bytes / 8).fill(97)))

  test('a file of exactly 100 MB is taken', async () => {
    const { headers } = await somebody()
    const { status, body } = await upload(app, headers, large(FILE_BYTES_MAX))
    expect([status, body.data.size]).toEqual([201, FILE_BYTES_MAX])
  })

  test('one byte more is refused, in words, although the client is still sending', async () => {
    const { headers, orgId } = await somebody()
    const { status, body } = await upload(
      app,
      headers,
      new Blob([large(FILE_BYTES_MAX), 'x', large(8_000_000)]),
    )
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.error.message).toBe('body.file must be at most 104857600 bytes (100 MB)')
    expect(await objectsOf(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })
})

describe('over a bare connection', () => {
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

  test('a client that goes away in the middle leaves nothing', async () => {
    const { headers, orgId } = await somebody()
    const { socket } = await open(headers, 50_000_000)
    socket.write(`${HEAD}Content-Type: text/plain\r\n\r\n${'a'.repeat(200_000)}`)
    await expect.poll(() => objectsOf(app, orgId)).toEqual({ known: 1, unfinished: 1 })
    socket.destroy()
    await expect.poll(() => objectsOf(app, orgId)).toEqual({ known: 0, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(0)
  })

  test('a refusal is answered before the client has sent everything, and the connection serves on', async () => {
    const { headers } = await somebody()
    const content = 'a'.repeat(3_000_000)
    const start = `${HEAD}Content-Type: image/png\r\n\r\n`
    const { socket, received } = await open(headers, start.length + content.length)
    socket.write(start + content.slice(0, 100_000))
    await expect.poll(received).toContain('Not a valid PNG')
    expect(received()).toMatch(/^HTTP\/1\.1 400 /)
    socket.write(content.slice(100_000))
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
    expect(received()).toContain('HTTP/1.1 200 OK')
  })
})

describe('Idempotency-Key', () => {
  const again = { headers: { 'idempotency-key': 'upload-1' }, name: 'a.txt' }

  test('the same form is taken once, and no second object is left', async () => {
    const { headers, orgId } = await somebody()
    const first = await upload(app, headers, 'same', again)
    const second = await upload(app, headers, 'same', again)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await objectsOf(app, orgId)).toEqual({ known: 1, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(1)
  })

  test.each([
    ['content', 'other', {}],
    ['name', 'same', { name: 'b.txt' }],
    ['place', 'same', { fields: { parentId: '' } }],
  ])('the same key with another %s is refused', async (_, content, more) => {
    const { headers, orgId } = await somebody()
    await upload(app, headers, 'same', again)
    const { status, body } = await upload(app, headers, content, { ...again, ...more })
    expect([status, body.error.details[0].path]).toEqual([400, 'headers.idempotency-key'])
    expect(await objectsOf(app, orgId)).toEqual({ known: 1, unfinished: 0 })
    expect(await storedFiles(app, orgId)).toBe(1)
  })
})

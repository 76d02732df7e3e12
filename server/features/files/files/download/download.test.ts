import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { PNG, upload } from '../../../../testing/factories/uploads.ts'
import { bearer, type Headers, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let headers: Headers
beforeAll(async () => {
  app = await shareTestApp()
  headers = bearer(await app.key(await app.person(await app.organization()), ['files:write']))
})

async function uploadFile(content: string | Uint8Array, name: string, type = '') {
  const { status, body } = await upload(app, headers, content, { name, type })
  expect(status).toBe(201)
  const url = `${app.url}/api/v1/files/${body.data.id}`
  const redirect = await fetch(`${url}?download=true`, { headers, redirect: 'manual' })
  expect(redirect.status).toBe(302)
  return {
    file: body.data,
    url,
    signedUrl: redirect.headers.get('location')!,
    inlineUrl: `${url}?download=true&inline=true`,
  }
}

const SAFE = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
}

describe('a file download', () => {
  test('redirects to a signed URL that needs no credential and sends restrictive headers', async () => {
    const { signedUrl } = await uploadFile('Grüße', 'Notiz.txt')
    const answer = await fetch(signedUrl)
    expect([answer.status, await answer.text()]).toEqual([200, 'Grüße'])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...SAFE,
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="Notiz.txt"; filename*=UTF-8''Notiz.txt`,
      'content-length': '7',
      'accept-ranges': 'bytes',
    })
  })

  test('is rejected when the signed URL is older than five minutes', async () => {
    const { signedUrl } = await uploadFile('x', 'a.txt')
    app.clock.advance(301)
    const answer = await fetch(signedUrl)
    expect([answer.status, (await answer.json()).error.details]).toEqual([401, { reason: 'expired' }])
  })

  test('is rejected when the signed URL is used for an upload', async () => {
    const { signedUrl } = await uploadFile('x', 'a.txt')
    const answer = await fetch(signedUrl, { method: 'PUT', body: 'y' })
    expect([answer.status, (await answer.json()).error.details]).toEqual([401, { reason: 'wrong_method' }])
  })

  test('is rejected for another organization, for an anonymous caller and for a folder', async () => {
    const { url } = await uploadFile('x', 'a.txt')
    const stranger = bearer(await app.key(await app.person(await app.organization()), ['files:read']))
    expect((await fetch(`${url}?download=true`, { headers: stranger })).status).toBe(404)
    expect((await fetch(`${url}?download=true`)).status).toBe(401)
    const folder = await app.request('POST', '/api/v1/files', {
      headers,
      body: { source: 'folder', name: 'F' },
    })
    const { id } = folder.body.data.file
    expect((await fetch(`${app.url}/api/v1/files/${id}?download=true`, { headers })).status).toBe(400)
  })

  test("returns a link's target content, and 404 once the target is deleted", async () => {
    const { file } = await uploadFile('x', 'a.txt')
    const body = { source: 'link', targetFileId: file.id, name: 'b.txt' }
    const link = (await app.request('POST', '/api/v1/files', { headers, body })).body.data.file
    const read = () => fetch(`${app.url}/api/v1/files/${link.id}?download=true&inline=true`, { headers })
    const answer = await read()
    expect([answer.status, await answer.text()]).toEqual([200, 'x'])
    expect(answer.headers.get('content-disposition')).toContain('filename="b.txt"')
    await app.request('DELETE', `/api/v1/files/${file.id}`, { headers })
    expect((await read()).status).toBe(404)
  })

  test('returns NOT_FOUND when the stored object is missing', async () => {
    const { file, signedUrl, inlineUrl } = await uploadFile('x', 'a.txt')
    const [{ key }] = await app.sql<
      [{ key: string }]
    >`select object_key as key from files where id = ${file.id}`
    const [org, name] = key.split('/') as [string, string]
    await rm(join(app.dataFolder, 'objects', org, name.slice(0, 2), name.slice(2)))
    for (const answer of [await fetch(signedUrl), await fetch(inlineUrl, { headers })])
      expect([answer.status, (await answer.json()).error.code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('an inline download', () => {
  const MP3 = Buffer.concat([
    Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1'),
    Buffer.from('fffb9000', 'hex'),
    Buffer.alloc(500),
  ])
  test.each([
    ['image/png', PNG, 'a.png'],
    ['text/plain; charset=utf-8', 'hello', 'a.txt'],
    ['text/plain; charset=utf-16', Buffer.from('\ufeffhello', 'utf16le'), 'b.txt'],
    ['application/pdf', '%PDF-1.7\n', 'a.pdf'],
    ['audio/mpeg', MP3, 'a.mp3'],
  ])('is displayed as %s', async (type, content, name) => {
    const { inlineUrl } = await uploadFile(content, name)
    const answer = await fetch(inlineUrl, { headers, redirect: 'manual' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    expect(answer.headers.get('content-disposition')).toMatch(/^inline; /)
    expect(Object.fromEntries(answer.headers)).toMatchObject(SAFE)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(content))
  })

  test.each([
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a.html', '<script>alert(1)</script>'],
    ['a.xml', '<?xml version="1.0"?><x/>'],
    ['a.csv', 'a,b'],
    ['a.json', '{}'],
  ])('is sent as an attachment if the browser must not render %s', async (name, content) => {
    const { inlineUrl } = await uploadFile(content, name)
    const answer = await fetch(inlineUrl, { headers })
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(Object.fromEntries(answer.headers)).toMatchObject(SAFE)
    expect(await answer.text()).toBe(content)
  })
})

describe('a range request', () => {
  test.each([
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['lines=0-1', 200, '0123456789', null],
    ['bytes=x', 200, '0123456789', null],
  ])('%s returns %i', async (range, status, text, contentRange) => {
    const { signedUrl, inlineUrl } = await uploadFile('0123456789', 'a.txt')
    for (const url of [signedUrl, inlineUrl]) {
      const answer = await fetch(url, { headers: { ...headers, range } })
      expect([answer.status, await answer.text()]).toEqual([status, text])
      expect(answer.headers.get('content-range')).toBe(contentRange)
      expect(answer.headers.get('content-length')).toBe(String(text.length))
    }
  })

  test('returns a part only if If-Range matches the ETag', async () => {
    const { signedUrl } = await uploadFile('0123456789', 'a.txt')
    const etag = (await fetch(signedUrl)).headers.get('etag')!
    const readRange = (ifRange: string) =>
      fetch(signedUrl, { headers: { range: 'bytes=0-1', 'if-range': ifRange } })
    expect((await readRange(etag)).status).toBe(206)
    expect((await readRange('"another"')).status).toBe(200)
    expect((await readRange(`W/${etag}`)).status).toBe(200)
  })
})

test('a download returns 304 when If-None-Match matches the ETag', async () => {
  const { file, signedUrl, inlineUrl } = await uploadFile('hello', 'a.txt')
  const shown = await fetch(inlineUrl, { headers })
  expect(shown.headers.get('etag')).toBe(`"${file.sha256}"`)
  for (const url of [signedUrl, inlineUrl]) {
    const etag = (await fetch(url, { headers })).headers.get('etag')!
    const again = await fetch(url, { headers: { ...headers, 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await fetch(url, { headers: { ...headers, 'if-none-match': '"other"' } })).status).toBe(200)
  }
})

test("HEAD returns GET's headers without a body", async () => {
  const { signedUrl, inlineUrl } = await uploadFile('hello', 'a.txt')
  for (const url of [signedUrl, inlineUrl]) {
    const answer = await fetch(url, { method: 'HEAD', headers })
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '5', ''])
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  }
})

test('an empty file downloads with length 0 and rejects every range', async () => {
  const { signedUrl } = await uploadFile('', 'a.txt')
  const answer = await fetch(signedUrl)
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', ''])
  expect((await fetch(signedUrl, { headers: { range: 'bytes=0-' } })).status).toBe(416)
})

test.each([
  [
    '日本語 🗂️.txt',
    'filename="___ __.txt"',
    "filename*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E%20%F0%9F%97%82%EF%B8%8F.txt",
  ],
  ['a"; x="b.txt', 'filename="a_; x=_b.txt"', "filename*=UTF-8''a%22%3B%20x%3D%22b.txt"],
  ["it's (1)*%41.txt", 'filename="it\'s (1)*_41.txt"', "filename*=UTF-8''it%27s%20%281%29%2A%2541.txt"],
])('the name %s is escaped in the Content-Disposition header', async (name, plain, full) => {
  const { signedUrl } = await uploadFile('x', name)
  const answer = await fetch(signedUrl)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; ${plain}; ${full}`)
})

test('the signed URL supports the longest name in a non-Latin script', async () => {
  const name = `${'🗂'.repeat(251)}.txt`
  const { signedUrl } = await uploadFile('x', name)
  const answer = await fetch(signedUrl)
  const [, full = ''] = /filename\*=UTF-8''(.*)$/.exec(answer.headers.get('content-disposition')!) ?? []
  expect(decodeURIComponent(full)).toBe(name)
})

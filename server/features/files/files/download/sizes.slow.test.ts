import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upload } from '../../../../testing/factories/uploads.ts'
import { startS3Server } from '../../../../testing/fakes/s3-server.ts'
import { bearer, buildTestApp, type Headers, type TestApp } from '../../../../testing/test-app.ts'
import { unzip } from '../../../../testing/unzip.ts'

/** Sizes at the limits of the code that reads and writes: a byte order mark, a disk read, a part of a bucket upload. */
const SIZES = [0, 1, 2, 256 * 1024, 5 * 1024 * 1024, 5 * 1024 * 1024 + 1]

interface TestStore {
  env: Record<string, string>
  close: () => Promise<void>
}

describe.each<[string, () => Promise<TestStore>]>([
  ['on disk', async () => ({ env: {}, close: async () => {} })],
  ['in a bucket', startS3Server],
])('a file %s', (_name, open) => {
  let testStore: TestStore
  let app: TestApp
  let headers: Headers
  beforeAll(async () => {
    testStore = await open()
    app = await buildTestApp({ env: testStore.env })
    headers = bearer(await app.key(await app.person(await app.organization()), ['files:write']))
  })
  afterAll(async () => {
    await app.close()
    await testStore.close()
  })

  const read = async (path: string, extraHeaders: Headers = {}, method = 'GET') => {
    const response = await fetch(`${app.url}/api/v1/files/${path}`, {
      method,
      headers: { ...headers, ...extraHeaders },
    })
    return {
      status: response.status,
      headers: response.headers,
      bytes: await buffer(response.body ?? Readable.from([])),
    }
  }
  async function store(size: number): Promise<string> {
    const { status, body } = await upload(app, headers, Buffer.alloc(size, 'x'), { name: 'note.txt' })
    expect([status, body.data.size]).toEqual([201, size])
    return body.data.id
  }

  test.each(SIZES)('is downloaded at %i bytes, including inline, with HEAD and by range', async (size) => {
    const id = await store(size)
    for (const query of ['download=true', 'download=true&inline=true']) {
      const whole = await read(`${id}?${query}`)
      expect([whole.status, whole.bytes.length]).toEqual([200, size])
      expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    }
    const head = await read(`${id}?download=true&inline=true`, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, `${size}`, 0])
    for (const range of ['bytes=0-0', 'bytes=0-', 'bytes=-1', `bytes=${Math.max(size - 1, 0)}-${size}`]) {
      const part = await read(`${id}?download=true&inline=true`, { range })
      const expected = range === 'bytes=0-' ? size : 1
      expect([part.status, part.bytes.length], range).toEqual(size === 0 ? [416, 0] : [206, expected])
    }
    const past = await read(`${id}?download=true&inline=true`, { range: `bytes=${size}-` })
    expect([past.status, past.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
  })

  test.each(SIZES)("has a preview at %i bytes, and is in its folder's archive", async (size) => {
    const folder = { source: 'folder', name: 'F' }
    const created = await app.request('POST', '/api/v1/files', { headers, body: folder })
    const parentId = created.body.data.file.id
    const id = await store(size)
    await app.request('PATCH', `/api/v1/files/${id}`, { headers, body: { parentId } })
    const preview = await app.request('GET', `/api/v1/files/${id}/preview`, { headers })
    expect([preview.status, preview.body.data.kind]).toEqual([200, 'text'])
    const archive = await read(`${parentId}/archive`)
    expect(archive.status).toBe(200)
    expect(unzip(archive.bytes).get('F/note.txt')?.length).toBe(size)
  })
})

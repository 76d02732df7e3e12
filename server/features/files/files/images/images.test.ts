import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createLargePng,
  createPdf,
  createPng,
  GIF,
  ROTATED_JPEG,
} from '../../../../testing/factories/pictures.ts'
import { createPreviewFile } from '../../../../testing/factories/preview-files.ts'
import { countObjects, storedFiles, upload, uploadVersion } from '../../../../testing/factories/uploads.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let owner: Awaited<ReturnType<TestApp['newUser']>>
let headers: ReturnType<typeof bearer>
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  owner = await app.newUser()
  headers = bearer(await app.key(owner.person, ['files:write']))
})
afterAll(() => app.close())

const createFile = (name: string, mimeType: string, bytes: Uint8Array | string) =>
  createPreviewFile(app, owner, { name, mimeType, bytes })

async function thumbnail(id: string, query = '', as = headers) {
  const response = await fetch(`${app.url}/api/v1/files/${id}/thumbnail${query}`, { headers: as })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const read = async (id: string, query = '') => {
  const answer = await app.request('GET', `/api/v1/files/${id}/images${query}`, { headers })
  return { ...answer, data: answer.body?.data, error: answer.body?.error }
}
const imageOf = async (id: string, query = '?data=true') => (await read(id, query)).data.parts[0].image

describe('an image', () => {
  test('is scaled to the size asked for, and small ones keep theirs', async () => {
    const { id } = await createFile('a.png', 'image/png', createPng({ width: 2000, height: 1000 }))
    const small = await createFile('b.png', 'image/png', createPng({ width: 20, height: 10 }))
    expect(await imageOf(id)).toMatchObject({ mimeType: 'image/png', width: 1568, height: 784 })
    expect(await imageOf(small.id)).toMatchObject({ width: 20, height: 10 })
    const { response, bytes } = await thumbnail(id, '?size=320')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([320, 160])
  })

  test('is a JPEG with many colors, and a PNG with few', async () => {
    const photo = createPng({ width: 300, height: 300, colorAt: (x, y) => [x % 256, y % 256, (x * y) % 256] })
    const { id } = await createFile('photo.png', 'image/png', photo)
    expect(await imageOf(id)).toMatchObject({ mimeType: 'image/jpeg' })
  })

  test('is upright and has no metadata', async () => {
    const { id } = await createFile('phone.jpg', 'image/jpeg', ROTATED_JPEG)
    const { width, height, data } = await imageOf(id)
    expect([width, height]).toEqual([4, 8])
    expect(ROTATED_JPEG.includes('Exif')).toBe(true)
    expect(Buffer.from(data, 'base64').includes('Exif')).toBe(false)
  })

  test('is the first frame of an animation', async () => {
    const { id } = await createFile('a.gif', 'image/gif', GIF)
    const red = await createFile('red.png', 'image/png', createPng({ width: 8, height: 4 }))
    const [frame, expected] = [await imageOf(id), await imageOf(red.id)]
    expect(frame).toMatchObject({ width: 8, height: 4 })
    expect(frame.data).toBe(expected.data)
  })

  test('is drawn from an SVG without its scripts and links', async () => {
    const receiver = await startReceiver((_, response) => response.end('x'))
    const link = `<image href="${receiver.url}/x.png" width="9" height="9"/><script>fetch("${receiver.url}")</script>`
    const source = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">${link}<rect width="40" height="20" fill="red"/></svg>`
    const { id } = await createFile('a.svg', 'image/svg+xml', source)
    expect(await imageOf(id)).toMatchObject({ mimeType: 'image/png', width: 40, height: 20 })
    expect(receiver.requests).toEqual([])
    await receiver.close()
  })

  test('is refused by its header above 64 megapixels', async () => {
    const { id } = await createFile('bomb.png', 'image/png', createLargePng(10_000, 10_000))
    const { status, error } = await read(id)
    expect([status, error.message, error.details]).toEqual([
      400,
      'The image is too large: at most 50 MB and 64 megapixels can be read',
      { reason: 'too_large' },
    ])
  })

  test.each([
    ['cut off in its header', 'image/jpeg', ROTATED_JPEG.subarray(0, 60)],
    ['of another type than it says', 'image/png', ROTATED_JPEG],
    ['that is no SVG', 'image/svg+xml', '<svg'],
  ])('%s is refused', async (_, mimeType, bytes) => {
    const { id } = await createFile('broken', mimeType, bytes)
    for (const attempt of [await read(id), await read(id)])
      expect([attempt.status, attempt.error?.details]).toEqual([400, { reason: 'broken' }])
  })

  test('is not made of other files', async () => {
    const { id } = await createFile('a.txt', 'text/plain', 'text')
    const { status, error } = await read(id)
    expect([status, error.message]).toEqual([400, 'This file is neither an image nor a PDF (text/plain)'])
  })
})

describe('a PDF', () => {
  test('gives the text of pages that have some, and images of the others', async () => {
    const pdf = createPdf(['The harbor opens at nine o’clock'.replace('’', ''), null, null])
    const { id } = await createFile('a.pdf', 'application/pdf', pdf)
    const { data } = await read(id, '?pages=1-2')
    expect(data).toMatchObject({
      pageCount: 3,
      parts: [
        { page: 1, text: 'The harbor opens at nine oclock', image: null },
        { page: 2, text: null, image: { width: 1176, height: 1568 } },
      ],
    })
    const { response, bytes } = await thumbnail(id, '?page=2&size=320')
    expect([response.status, bytes.readUInt32BE(20)]).toEqual([200, 320])
  })

  test.each([
    ['7-3', 'query.pages must be pages such as 3 or 3-7'],
    ['1-21', 'query.pages must be at most 20 pages'],
  ])('refuses the pages %s', async (pages, message) => {
    const { id } = await createFile('a.pdf', 'application/pdf', createPdf([null]))
    expect((await read(id, `?pages=${pages}`)).error.message).toBe(message)
  })
})

describe('a derived image', () => {
  test('is made once, stays the same, and goes with its file', async () => {
    const { body } = await upload(app, headers, createPng({ width: 500, height: 10 }), {
      name: 'once.png',
      type: 'image/png',
    })
    const { id } = body.data
    const before = await storedFiles(app, owner.org.id)
    const [one, two, three] = await Promise.all([thumbnail(id), thumbnail(id), thumbnail(id)])
    expect([two!.bytes.equals(one!.bytes), three!.bytes.equals(one!.bytes)]).toEqual([true, true])
    expect(await storedFiles(app, owner.org.id)).toBe(before + 1)
    const { files } = await app.withSession(owner.person)
    await files.remove({ id })
    await files.remove({ id, permanent: 'true' })
    await expect.poll(() => storedFiles(app, owner.org.id)).toBe(before - 1)
    expect((await countObjects(app, owner.org.id)).unfinished).toBe(0)
    expect(
      await app.sql`select from derived_images d where not exists (
      select from objects o where o.org_id = d.org_id and o.key = d.source_key)`,
    ).toEqual([])
  })

  test('belongs to a version, and only that can be cached for good', async () => {
    const first = createPng({ width: 10, height: 10 })
    const { body } = await upload(app, headers, first, { name: 'v.png', type: 'image/png' })
    const { id } = body.data
    await uploadVersion(app, headers, id, createPng({ width: 20, height: 10 }), {
      name: 'v.png',
      type: 'image/png',
    })
    const widthOf = async (query: string) => (await thumbnail(id, query)).bytes.readUInt32BE(16)
    expect([await widthOf(''), await widthOf('?version=1'), await widthOf('?version=2')]).toEqual([
      20, 10, 20,
    ])
    const cacheOf = async (query: string) =>
      (await thumbnail(id, query)).response.headers.get('cache-control')
    expect([await cacheOf(''), await cacheOf('?version=1')]).toEqual([
      'private, no-cache',
      'private, max-age=31536000, immutable',
    ])
  })

  test('is hidden from other organizations', async () => {
    const { id } = await createFile('a.png', 'image/png', createPng({ width: 10, height: 10 }))
    const stranger = await app.newUser()
    const theirs = bearer(await app.key(stranger.person, ['files:read']))
    for (const path of ['thumbnail', 'thumbnail?version=1', 'images'])
      expect((await app.request('GET', `/api/v1/files/${id}/${path}`, { headers: theirs })).status).toBe(404)
  })
})

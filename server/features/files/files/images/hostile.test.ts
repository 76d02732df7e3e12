import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLargePng, createPng, GIF, ROTATED_JPEG } from '../../../../testing/factories/pictures.ts'
import { upload } from '../../../../testing/factories/uploads.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let headers: ReturnType<typeof bearer>
beforeAll(async () => {
  app = await buildTestApp()
  const { person } = await app.newUser()
  headers = bearer(await app.key(person, ['files:write']))
})
afterAll(() => app.close())

/** As whoever finds the picture in the folder, or asks a model about it. */
async function send(name: string, bytes: Uint8Array) {
  const uploaded = await upload(app, headers, bytes, { name })
  if (uploaded.status !== 201) return { uploaded: uploaded.status }
  const { id } = uploaded.body.data
  const image = await app.request('GET', `/api/v1/files/${id}/images?data=true`, { headers })
  const thumbnail = await fetch(`${app.url}/api/v1/files/${id}/thumbnail`, { headers })
  await thumbnail.arrayBuffer()
  return {
    status: image.status,
    reason: image.body?.error?.details?.reason,
    image: image.body?.data?.parts[0].image,
    thumbnail: thumbnail.status,
  }
}

/** A header that promises pixels without bytes for them. */
function lyingPng(width: number, height: number): Buffer {
  const bytes = Buffer.from(createPng({ width: 4, height: 4 }))
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

function animation(frames: number): Buffer {
  // The last byte ends the file, and the frame begins after the header and its colors.
  const start =
    GIF.indexOf(Buffer.from([0x21, 0xf9])) === -1
      ? GIF.indexOf(0x2c, 13)
      : GIF.indexOf(Buffer.from([0x21, 0xf9]))
  const frame = GIF.subarray(start, -1)
  return Buffer.concat([
    GIF.subarray(0, start),
    ...Array.from({ length: frames }, () => frame),
    GIF.subarray(-1),
  ])
}

const svg = (body: string, head = '') =>
  Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20">${body}</svg>`,
  )

const LAUGHS = `<!DOCTYPE svg [<!ENTITY a0 "ha">${Array.from({ length: 12 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('')}]>`
const FILE = '<!DOCTYPE svg [<!ENTITY secret SYSTEM "file:///etc/passwd">]>'

const NESTED = `<defs><rect id="u0" width="1" height="1"/>${Array.from({ length: 25 }, (_, n) => `<g id="u${n + 1}"><use xlink:href="#u${n}"/><use xlink:href="#u${n}"/></g>`).join('')}</defs><use xlink:href="#u25"/>`

test.each([
  ['a PNG of 50,000 by 50,000 pixels in a few bytes', 'a.png', lyingPng(50_000, 50_000), 'too_large'],
  ['a PNG of 30,000 by 30,000 white pixels', 'a.png', createLargePng(30_000, 30_000), 'too_large'],
  ['a PNG without its pixels', 'a.png', lyingPng(7000, 7000), 'broken'],
  ['an SVG whose entities grow to a terabyte', 'a.svg', svg('<text y="9">&a12;</text>', LAUGHS), 'broken'],
  ['an SVG with a file as entity', 'a.svg', svg('<text y="9">&secret;</text>', FILE), 'broken'],
])('%s is refused', async (_, name, bytes, reason) => {
  const before = process.memoryUsage.rss()
  expect(await send(name, bytes)).toEqual({ status: 400, reason, image: undefined, thumbnail: 400 })
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000)
})

test.each([
  [
    'of a billion by a billion units',
    svg('<rect width="9" height="9"/>')
      .toString()
      .replace('width="40" height="20"', 'width="1e9" height="1e9"'),
  ],
  ['that uses itself', svg('<g id="a"><use xlink:href="#a"/></g>').toString()],
  ['whose groups use each other two to the power of 25 times', svg(NESTED).toString()],
])('an SVG %s is drawn or refused in time, and the next one is drawn', async (_, source) => {
  const { status, thumbnail } = await send('a.svg', Buffer.from(source))
  expect(status).toBeOneOf([200, 400, 503])
  expect(thumbnail).toBeOneOf([200, 400, 503])
  expect(await send('b.svg', svg('<rect width="9" height="9"/>'))).toMatchObject({
    status: 200,
    thumbnail: 200,
  })
})

test('an animation of 10,000 frames is its first frame', async () => {
  const before = process.memoryUsage.rss()
  expect(await send('a.gif', animation(10_000))).toMatchObject({
    ...{ status: 200, thumbnail: 200, image: { width: 8, height: 4 } },
  })
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000)
})

test('a truncated JPEG is refused or shown as far as it goes, wherever it ends', async () => {
  for (const share of [0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
    const { status, thumbnail, ...rest } = await send(
      'a.jpg',
      ROTATED_JPEG.subarray(0, ROTATED_JPEG.length * share),
    )
    expect([200, 400, undefined], `${share}: ${JSON.stringify(rest)}`).toContain(status)
    expect(thumbnail).toBe(status)
  }
})

import { deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { bearer, shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { readImageHeader } from './image-header.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  return chunk
}

/** Without checksums, which only decoders read. */
function png(width: number, height: number, text = ''): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('tEXt', Buffer.from(text)),
    pngChunk('IDAT', deflateSync(Buffer.alloc(16))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

async function newAgent() {
  const org = await app.organization()
  const person = await app.person(org)
  const headers = bearer(await app.key(person))
  const { agents } = app.as(headers)
  const agent = await agents.create({ name: 'Researcher' })
  const set = (bytes: Buffer) => agents.setImage({ id: agent.id, image: bytes.toString('base64') })
  const get = (path: string, as = headers) => fetch(app.url + path, { headers: as })
  return { org, person, headers, agents, agent, set, get }
}

describe('PUT /agents/:id/image', () => {
  test('shows the image in the agent and among the faces, and serves its bytes', async () => {
    const { agents, agent, set, get } = await newAgent()
    expect(agent.imageUrl).toBeNull()
    const changed = await set(png(256, 256))
    expect(changed.imageUrl).toMatch(new RegExp(`^/api/v1/agents/${agent.id}/image\\?v=[0-9a-f]{16}$`))
    const { items } = await agents.faces()
    expect(items).toContainEqual({ agentId: agent.id, emoji: null, imageUrl: changed.imageUrl })
    expect(items).toContainEqual({ agentId: expect.any(String), emoji: '✨', imageUrl: null })
    const response = await get(changed.imageUrl!)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png(256, 256))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
  })

  test('changes the address with the bytes, and lets browsers keep only addresses that name them', async () => {
    const { agent, set, get } = await newAgent()
    const { imageUrl: first } = await set(png(1, 1))
    const { imageUrl: second } = await set(png(2, 2))
    expect(second).not.toBe(first)
    for (const path of [first!, `/api/v1/agents/${agent.id}/image`]) {
      const response = await get(path)
      expect(Buffer.from(await response.arrayBuffer())).toEqual(png(2, 2))
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
    }
  })

  test('keeps the image when another version is published or restored', async () => {
    const { agents, agent, set } = await newAgent()
    const { imageUrl } = await set(png(8, 8))
    await agents.update({ id: agent.id, name: 'Reader' })
    const restored = await agents.restore({ id: agent.id, version: 1 })
    expect(restored).toMatchObject({ name: 'Researcher', imageUrl })
  })

  test.each([
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'must be a PNG, JPEG or WebP image'],
    ['a header that ends early', png(8, 8).subarray(0, 20), 'must be a PNG, JPEG or WebP image'],
    ['a picture that is too wide', png(1025, 1), 'must be at most 1024 pixels wide and high'],
    ['a picture that unpacks to gigabytes', png(60_000, 60_000), 'must be at most 1024 pixels wide and high'],
    ['too many bytes', png(8, 8, 'x'.repeat(262_144)), 'must be at most 256 KB'],
  ])('refuses %s and keeps the image', async (_, bytes, message) => {
    const { agents, agent, set } = await newAgent()
    const { imageUrl } = await set(png(8, 8))
    await expect(set(bytes)).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'body.image', message }],
    })
    expect(await agents.get({ id: agent.id })).toMatchObject({ imageUrl })
  })

  test('refuses members who may not change the agent, and other organizations', async () => {
    const { org, agent, set, get } = await newAgent()
    const { imageUrl } = await set(png(8, 8))
    const image = png(4, 4).toString('base64')
    const colleague = bearer(await app.key(await app.person(org, { role: 'member' })))
    const stranger = bearer(await app.key(await app.person(await app.organization())))
    await expect(app.as(colleague).agents.setImage({ id: agent.id, image })).rejects.toMatchObject({
      status: 403,
    })
    await expect(app.as(stranger).agents.setImage({ id: agent.id, image })).rejects.toMatchObject({
      status: 404,
    })
    expect((await get(imageUrl!, colleague)).status).toBe(200)
    expect((await get(imageUrl!, stranger)).status).toBe(404)
    expect(JSON.stringify(await app.as(stranger).agents.faces())).not.toContain(agent.id)
  })
})

describe('DELETE /agents/:id/image', () => {
  test('shows the generated face again', async () => {
    const { agents, agent, set, get } = await newAgent()
    const { imageUrl } = await set(png(8, 8))
    expect(await agents.removeImage({ id: agent.id })).toMatchObject({ imageUrl: null })
    expect(await agents.removeImage({ id: agent.id })).toMatchObject({ imageUrl: null })
    expect((await get(imageUrl!)).status).toBe(404)
    expect(JSON.stringify(await agents.faces())).not.toContain(agent.id)
  })
})

describe('readImageHeader', () => {
  const webp = (chunk: string, rest: number[]) =>
    Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0`, 'latin1'), Buffer.from(rest)])

  test.each([
    [
      'a JPEG behind metadata',
      [0xff, 0xd8, 0xff, 0xe1, 0, 4, 9, 9, 0xff, 0xff, 0xc2, 0, 11, 8, 1, 0, 2, 0],
      512,
      256,
    ],
    ['a JPEG with tables first', [0xff, 0xd8, 0xff, 0xc4, 0, 2, 0xff, 0xc0, 0, 11, 8, 0, 3, 0, 5], 5, 3],
  ])('reads %s', (_, bytes, width, height) => {
    expect(readImageHeader(Buffer.from(bytes))).toEqual({ mimeType: 'image/jpeg', width, height })
  })

  test.each([
    ['lossy', webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x01, 0xf0, 0x00]), 320, 240],
    ['lossless', webp('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0x00]), 320, 240],
    ['extended', webp('VP8X', [0, 0, 0, 0, 0x3f, 0x01, 0x00, 0xef, 0x00, 0x00]), 320, 240],
  ])('reads %s WebP', (_, bytes, width, height) => {
    expect(readImageHeader(bytes)).toEqual({ mimeType: 'image/webp', width, height })
  })

  test('reads nothing from headers cut at any byte', () => {
    for (const whole of [png(8, 8).subarray(0, 24), webp('VP8X', [0, 0, 0, 0, 1, 0, 0, 1, 0, 0])])
      for (let length = 0; length < whole.length; length++)
        expect(readImageHeader(whole.subarray(0, length))).toBeNull()
  })
})

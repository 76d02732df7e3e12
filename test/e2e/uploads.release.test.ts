import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { type AtriumProcess, openEmbedded, startAtrium } from './atrium-process.ts'

const OWNER = { ATRIUM_OWNER_EMAIL: 'ada@example.com', ATRIUM_OWNER_PASSWORD: 'correct horse battery' }
const UPLOADS = 8
const FILE_BYTES = 104_857_600
const CHUNK = Buffer.alloc(65_536, 'Atrium keeps the memory flat. ')
const GROWTH_MB_MAX = 64

let dataFolder: string
let atrium: AtriumProcess
let authorization: string

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'atrium-uploads-'))
  atrium = await startAtrium({ dataFolder, env: { ...OWNER, ATRIUM_LOG_LEVEL: 'error' } })
  const sql = await openEmbedded(dataFolder)
  const { organization, person, key } = createFactories(sql, () => new Date())
  authorization = `Bearer ${(await key(await person(await organization()), ['files:write'])).key}`
  await sql.end()
})
afterEach(async () => {
  await atrium.stop()
  await rm(dataFolder, { recursive: true })
})

const uploadMethods: [string, (size: number) => Promise<number>][] = [
  ['by form', sendForm],
  ['to their upload URLs', createAndPut],
]

// The kernel records the peak, so no peak is missed between two samples; only Linux can reset it.
test.skipIf(process.platform !== 'linux').each(uploadMethods)(
  `${UPLOADS} 100 MB files sent ${'%s'} in parallel grow the server by at most ${GROWTH_MB_MAX} MB`,
  async (_, send) => {
    expect(await send(1_000_000)).toBe(1_000_000)
    const before = await memoryMb('VmRSS')
    await writeFile(`/proc/${atrium.pid}/clear_refs`, '5')
    const sizes = await Promise.all(Array.from({ length: UPLOADS }, () => send(FILE_BYTES)))
    expect(sizes).toEqual(Array(UPLOADS).fill(FILE_BYTES))
    expect((await memoryMb('VmHWM')) - before).toBeLessThanOrEqual(GROWTH_MB_MAX)
  },
  180_000,
)

async function memoryMb(mark: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${atrium.pid}/status`, 'utf8')
  return Number(new RegExp(`${mark}:\\s+(\\d+) kB`).exec(status)![1]) / 1024
}

async function sendForm(size: number): Promise<number> {
  const head = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
  const tail = '\r\n--cut--\r\n'
  async function* form() {
    yield Buffer.from(head)
    yield* bytes(size)
    yield Buffer.from(tail)
  }
  const headers = {
    authorization,
    'content-type': 'multipart/form-data; boundary=cut',
    'content-length': head.length + size + tail.length,
  }
  return (await send('POST', `${atrium.url}/api/v1/files`, headers, form())).size
}

async function createAndPut(size: number): Promise<number> {
  const body = JSON.stringify({ name: 'a.txt', mimeType: 'text/plain', size })
  const headers = { authorization, 'content-type': 'application/json' }
  const created = await fetch(`${atrium.url}/api/v1/files`, { method: 'POST', headers, body })
  const { uploadUrl } = (await created.json()).data
  const type = { 'content-type': 'application/octet-stream', 'content-length': size }
  return (await send('PUT', uploadUrl, type, bytes(size))).size
}

function* bytes(size: number) {
  for (let left = size; left > 0; left -= CHUNK.length)
    yield left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK
}

async function send(
  method: string,
  url: string,
  headers: Record<string, string | number>,
  content: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<{ size: number }> {
  const uploadRequest = request(url, { method, headers })
  const responseText = new Promise<string>((resolve, reject) => {
    uploadRequest.on('response', (response) => resolve(text(response)))
    uploadRequest.on('error', reject)
  })
  await pipeline(Readable.from(content), uploadRequest)
  const body = JSON.parse(await responseText)
  expect(body).toMatchObject({ success: true })
  return body.data
}

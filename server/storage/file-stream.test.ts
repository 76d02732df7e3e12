import { once } from 'node:events'
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../security/ids.ts'
import { randomHex } from '../security/random.ts'
import { createVault } from '../security/vault.ts'
import { diskStore } from './disk.ts'
import type { ByteRange, ObjectStore } from './object-store.ts'

const KEY = `${newId()}/${randomHex(16)}`
const CONTENT = Buffer.from(randomHex(3 * 1024 * 1024 + 77))

let folder: string
let store: ObjectStore
let respond: (response: ServerResponse) => Promise<unknown>
const server = createServer((_request, response) => void respond(response))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-file-stream-'))
  store = diskStore(folder, createVault('a secret for tests, long enough to be one'))
  await store.check()
  await store.put(
    KEY,
    (async function* () {
      yield CONTENT
    })(),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})

async function request(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo
  const [response] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response')
  return response as IncomingMessage
}

const open = async (range?: ByteRange): Promise<Readable> => (await store.get(KEY, range))!

/** How many files under the folder of the store this process has open. */
async function openFiles(): Promise<number> {
  const descriptors = await readdir('/proc/self/fd')
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(folder)).length
}

test('a file stream sends an object from two buffers, byte for byte, to a reader that pauses', async () => {
  const memory = new Set<ArrayBufferLike>()
  respond = async (response) => {
    const write = response.write.bind(response)
    response.write = ((chunk: Buffer, ...rest: never[]) => {
      memory.add(chunk.buffer)
      return write(chunk, ...rest)
    }) as typeof response.write
    ;(await open()).pipe(response)
  }
  const response = await request()
  response.pause()
  // The sender has filled the buffers of the connection and waits for its reader.
  await expect.poll(() => memory.size).toBeGreaterThan(1)
  expect(CONTENT.equals(await buffer(response))).toBe(true)
  expect(memory.size).toBe(2)
  await expect.poll(openFiles).toBe(0)
})

test("a file stream sends exactly a range's bytes", async () => {
  const range = { start: 262_100, end: 900_001 }
  respond = async (response) => (await open(range)).pipe(response)
  expect(CONTENT.subarray(range.start, range.end + 1).equals(await buffer(await request()))).toBe(true)
})

test('a file stream closes the file when the client disconnects', async () => {
  const ended = Promise.withResolvers<Readable>()
  respond = async (response) => {
    const stream = await open()
    // The framework destroys the stream in the same way.
    response.once('close', () => stream.destroy())
    stream.once('close', () => ended.resolve(stream))
    stream.pipe(response)
  }
  const response = await request()
  expect(await openFiles()).toBe(1)
  response.destroy()
  expect((await ended.promise).readableEnded).toBe(false)
  expect(await openFiles()).toBe(0)
})

test('a file stream gives other readers chunks that do not change afterwards', async () => {
  const chunks: Buffer[] = []
  for await (const chunk of await open()) chunks.push(chunk)
  expect(CONTENT.equals(Buffer.concat(chunks))).toBe(true)
})

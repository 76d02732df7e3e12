import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../security/digest.ts'
import { newId } from '../security/ids.ts'
import { randomHex } from '../security/random.ts'
import { createVault } from '../security/vault.ts'
import { startS3Server } from '../testing/fakes/s3-server.ts'
import { diskStore } from './disk.ts'
import type { ByteRange, ObjectStore } from './object-store.ts'
import { s3Store } from './s3.ts'

const MB = 1024 * 1024

interface OpenedStore {
  store: ObjectStore
  /** Partial files of aborted uploads. */
  leftovers: () => Promise<string[]>
  close: () => Promise<void>
}

async function openDisk(): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-objects-'))
  const store = diskStore(folder, createVault('a secret for tests, long enough to be one'))
  return {
    store,
    leftovers: () => readdir(join(folder, 'tmp')),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function openBucket(): Promise<OpenedStore> {
  const server = await startS3Server()
  return {
    store: s3Store(server.config, server.spoolFolder),
    leftovers: async () => [...(await server.openUploads()), ...(await readdir(server.spoolFolder))],
    close: () => server.close(),
  }
}

/** Non-repeating bytes, in chunks as a network delivers them. */
async function* bytes(size: number, failure?: Error): AsyncGenerator<Uint8Array> {
  const piece = 60_000
  for (let at = 0; at < size; at += piece) {
    const length = Math.min(piece, size - at)
    const chunk = Buffer.alloc(length)
    for (let i = 0; i < length; i += 4) chunk.writeUInt8(((at + i) * 2_654_435_761) >>> 24, i)
    yield chunk
  }
  if (failure) throw failure
}

async function* text(value: string) {
  yield Buffer.from(value)
}

const collect = async (content: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe.each([
  ['disk', openDisk],
  ['bucket', openBucket],
])('object store on %s', (_name, open) => {
  let opened: OpenedStore
  let store: ObjectStore
  beforeAll(async () => {
    opened = await open()
    store = opened.store
    await store.check()
  })
  afterAll(() => opened.close())

  const org = newId()
  const newKey = () => `${org}/${randomHex(16)}`
  const read = async (key: string, range?: ByteRange) => {
    const stream = await store.get(key, range)
    return stream && (await buffer(stream)).toString()
  }

  test('returns the stored bytes', async () => {
    const key = newKey()
    await store.put(key, text('first words'))
    expect(await read(key)).toBe('first words')
    expect(await store.size(key)).toBe(11)
  })

  test('stores an empty object, which differs from a missing one', async () => {
    const key = newKey()
    await store.put(key, text(''))
    expect(await store.size(key)).toBe(0)
    expect(await read(key)).toBe('')
  })

  test('returns null for a key that was never written', async () => {
    const key = newKey()
    expect(await store.size(key)).toBeNull()
    expect(await store.get(key)).toBeNull()
    expect(await store.get(key, { start: 0, end: 1 })).toBeNull()
  })

  test.each([5 * MB - 1, 5 * MB, 5 * MB + 1, 30 * MB])('returns %i bytes unchanged', async (size) => {
    const key = newKey()
    await store.put(key, bytes(size))
    expect(await store.size(key)).toBe(size)
    const stored = await buffer((await store.get(key))!)
    expect(sha256(stored)).toEqual(sha256(await collect(bytes(size))))
    expect(await opened.leftovers()).toEqual([])
  })

  test('returns a range including its last byte, limited to the object size', async () => {
    const key = newKey()
    await store.put(key, text('0123456789'))
    expect(await read(key, { start: 0, end: 1 })).toBe('01')
    expect(await read(key, { start: 1, end: 1 })).toBe('1')
    expect(await read(key, { start: 3, end: 6 })).toBe('3456')
    expect(await read(key, { start: 9, end: 9 })).toBe('9')
    expect(await read(key, { start: 8, end: 100 })).toBe('89')
  })

  test.each([0, 1, 256 * 1024, 5 * MB])(
    'returns the part of a range within a %i-byte object',
    async (size) => {
      const key = newKey()
      await store.put(key, bytes(size))
      const lengthOf = async (start: number, end: number) =>
        (await buffer((await store.get(key, { start, end }))!)).length
      expect(await lengthOf(0, 0)).toBe(Math.min(size, 1))
      expect(await lengthOf(0, 1)).toBe(Math.min(size, 2))
      expect(await lengthOf(0, size)).toBe(size)
      expect(await lengthOf(size, size)).toBe(0)
      expect(await lengthOf(size + 1, size + 100)).toBe(0)
      expect(await lengthOf(Math.max(size - 1, 0), size)).toBe(Math.min(size, 1))
    },
  )

  test.each([0, 1, 5 * MB])('copies a %i-byte object', async (size) => {
    const [from, to] = [newKey(), newKey()]
    await store.put(from, bytes(size))
    await store.copy(from, to)
    expect(await store.size(to)).toBe(size)
  })

  test.each([0, 100, 5 * MB, 12 * MB])(
    'stores nothing if the content fails after %i bytes, and throws the same error',
    async (size) => {
      const key = newKey()
      const failure = new Error('the client went away')
      await expect(store.put(key, bytes(size, failure))).rejects.toBe(failure)
      expect(await store.size(key)).toBeNull()
      expect(await opened.leftovers()).toEqual([])
    },
  )

  test('has no object before all content has arrived', async () => {
    const key = newKey()
    let sizeDuringPut: number | null = -1
    await store.put(
      key,
      (async function* () {
        yield* bytes(6 * MB)
        sizeDuringPut = await store.size(key)
        yield Buffer.from('end')
      })(),
    )
    expect(sizeDuringPut).toBeNull()
    expect(await store.size(key)).toBe(6 * MB + 3)
  })

  test('stores many objects concurrently', async () => {
    const keys = Array.from({ length: 6 }, newKey)
    await Promise.all(keys.map((key, index) => store.put(key, bytes(6 * MB + index))))
    for (const [index, key] of keys.entries()) {
      const stored = await buffer((await store.get(key))!)
      expect(sha256(stored)).toEqual(sha256(await collect(bytes(6 * MB + index))))
    }
  })

  test('copies an object; either can be removed without the other', async () => {
    const [from, to] = [newKey(), newKey()]
    await store.put(from, text('twice'))
    await store.copy(from, to)
    await store.remove(from)
    expect(await read(to)).toBe('twice')
    expect(await store.size(from)).toBeNull()
  })

  test('copies between organizations', async () => {
    const [from, to] = [newKey(), `${newId()}/${randomHex(16)}`]
    await store.put(from, text('shared'))
    await store.copy(from, to)
    expect(await read(to)).toBe('shared')
  })

  test('fails to copy a missing object and creates nothing', async () => {
    const to = newKey()
    await expect(store.copy(newKey(), to)).rejects.toThrow()
    expect(await store.size(to)).toBeNull()
    expect(await opened.leftovers()).toEqual([])
  })

  test('removes an object; removing it again succeeds', async () => {
    const [key, other] = [newKey(), newKey()]
    await store.put(key, text('gone'))
    await store.put(other, text('stays'))
    await store.remove(key)
    expect(await store.get(key)).toBeNull()
    await store.remove(key)
    expect(await read(other)).toBe('stays')
  })

  test('ends an aborted read without affecting the next one', async () => {
    const key = newKey()
    await store.put(key, bytes(8 * MB))
    const stream = (await store.get(key)) as Readable
    for await (const _chunk of stream) break
    await expect.poll(() => stream.destroyed).toBe(true)
    expect((await buffer((await store.get(key))!)).length).toBe(8 * MB)
  })

  const invalidKeys = [
    '',
    '../secret',
    `${org}/../../secret`,
    `${org}/${'a'.repeat(31)}`,
    `${org}/${'A'.repeat(32)}`,
    `/${org}/${'a'.repeat(32)}`,
    `${org}/${'a'.repeat(32)}\n`,
    `tmp/${'a'.repeat(32)}`,
    `${org}\\${'a'.repeat(32)}`,
  ]
  test.each(invalidKeys)('refuses %j, which is not a key, in every method', async (key) => {
    const good = newKey()
    await store.put(good, text('good'))
    const expiresAt = new Date(Date.now() + 60_000)
    const calls: (() => unknown)[] = [
      () => store.put(key, text('evil')),
      () => store.get(key),
      () => store.size(key),
      () => store.copy(good, key),
      () => store.copy(key, good),
      () => store.remove(key),
      () => store.readUrl(key, { expiresAt, mimeType: 'text/plain', disposition: 'inline', baseUrl: '' }),
      () => store.writeUrl(key, { expiresAt, size: 1, baseUrl: '' }),
    ]
    for (const call of calls) await expect((async () => call())()).rejects.toThrow('Not an object key')
    expect(await read(good)).toBe('good')
  })
})

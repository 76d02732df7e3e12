import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CreateMultipartUploadCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { StartupError } from '../errors.ts'
import { newId } from '../security/ids.ts'
import { randomHex } from '../security/random.ts'
import { startS3Server } from '../testing/fakes/s3-server.ts'
import type { ObjectStore } from './object-store.ts'
import { s3Store } from './s3.ts'

const MB = 1024 * 1024

let server: Awaited<ReturnType<typeof startS3Server>>
let store: ObjectStore
beforeAll(async () => {
  server = await startS3Server()
  store = s3Store(server.config, server.spoolFolder)
})
afterEach(() => server.refuse(null))
afterAll(() => server.close())

const newKey = () => `${newId()}/${randomHex(16)}`
async function* bytes(size: number) {
  for (let at = 0; at < size; at += MB) yield Buffer.alloc(Math.min(MB, size - at), 'x')
}
const expiresAt = () => new Date(Date.now() + 300_000)
const readUrl = async (key: string, disposition = 'inline') =>
  store.readUrl(key, { expiresAt: expiresAt(), mimeType: 'text/plain', disposition, baseUrl: '' })
const writeUrl = (key: string, size: number) =>
  store.writeUrl(key, { expiresAt: expiresAt(), size, baseUrl: '' })

describe('signed read URL', () => {
  test('returns the object with the signed type and name, without credentials', async () => {
    const key = newKey()
    await store.put(key, bytes(10))
    const disposition = `attachment; filename="_.txt"; filename*=UTF-8''%E6%96%87.txt`
    const response = await fetch(await readUrl(key, disposition))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(response.headers.get('content-disposition')).toBe(disposition)
    expect(await response.text()).toBe('xxxxxxxxxx')
  })

  test('returns a range', async () => {
    const key = newKey()
    await store.put(key, bytes(10))
    const response = await fetch(await readUrl(key), { headers: { range: 'bytes=2-4' } })
    expect(response.status).toBe(206)
    expect(await response.text()).toBe('xxx')
  })

  test('expires at the requested time', async () =>
    expect(new URL(await readUrl(newKey())).searchParams.get('X-Amz-Expires')).toBe('300'))

  test.each([
    ['for another object', (url: URL) => (url.pathname = url.pathname.replace(/.$/, '0'))],
    ['under another type', (url: URL) => url.searchParams.set('response-content-type', 'text/html')],
    ['for longer', (url: URL) => url.searchParams.set('X-Amz-Expires', '3000')],
  ])('does not work %s', async (_what, change) => {
    const key = `${newKey().slice(0, -1)}1`
    await store.put(key, bytes(10))
    const url = new URL(await readUrl(key))
    change(url)
    expect((await fetch(url)).status).toBe(403)
  })

  test('does not write', async () => {
    const key = newKey()
    expect((await fetch(await readUrl(key), { method: 'PUT', body: 'evil' })).status).toBe(403)
    expect(await store.size(key)).toBeNull()
  })
})

describe('signed write URL', () => {
  test('accepts exactly the signed number of bytes', async () => {
    const key = newKey()
    const headers = { 'content-type': 'application/octet-stream' }
    const url = await writeUrl(key, 5)
    expect((await fetch(url, { method: 'PUT', body: 'too much', headers })).status).toBe(403)
    expect((await fetch(url, { method: 'PUT', body: 'few', headers })).status).toBe(403)
    expect(await store.size(key)).toBeNull()
    expect((await fetch(url, { method: 'PUT', body: 'right', headers })).status).toBe(200)
    expect(await store.size(key)).toBe(5)
  })

  test('accepts an empty object', async () => {
    const key = newKey()
    expect((await fetch(await writeUrl(key, 0), { method: 'PUT', body: '' })).status).toBe(200)
    expect(await store.size(key)).toBe(0)
  })
})

describe('multipart upload', () => {
  test.each([
    ['a part', 'PUT', 'partNumber=2'],
    ['the end', 'POST', 'uploadId='],
  ])('leaves nothing in the bucket if %s is refused', async (_what, method, query) => {
    const key = newKey()
    server.refuse((request) => request.method === method && request.url!.includes(query))
    await expect(store.put(key, bytes(12 * MB))).rejects.toThrow()
    expect(await server.openUploads()).toEqual([])
    expect(await store.size(key)).toBeNull()
  })

  test('throws the original error, even if the abort fails', async () => {
    server.refuse((request) => request.method === 'DELETE')
    const failure = new Error('the client disconnected')
    const content = async function* () {
      yield* bytes(6 * MB)
      throw failure
    }
    await expect(store.put(newKey(), content())).rejects.toBe(failure)
  })

  test('releases its permit when it fails', async () => {
    server.refuse((request) => request.method === 'PUT')
    for (let round = 0; round < 8; round++) {
      await expect(store.put(newKey(), bytes(6 * MB))).rejects.toThrow()
      await expect(store.put(newKey(), bytes(1))).rejects.toThrow()
    }
    server.refuse(null)
    const key = newKey()
    await store.put(key, bytes(6 * MB))
    expect(await store.size(key)).toBe(6 * MB)
  })
})

describe('check', () => {
  const checkError = async (change: Partial<typeof server.config>) =>
    s3Store({ ...server.config, ...change }, server.spoolFolder)
      .check()
      .then(
        () => 'none',
        (error: unknown) => (error instanceof StartupError ? error.message : String(error)),
      )

  test('accepts a working bucket and leaves nothing in it', async () => {
    expect(await checkError({})).toBe('none')
    expect(await store.size(`00000000-0000-0000-0000-000000000000/${'0'.repeat(32)}`)).toBeNull()
  })

  test('fails for a missing bucket', async () =>
    expect(await checkError({ bucket: 'another' })).toMatch(
      /^ATRIUM_OBJECTS cannot be used, bucket another at 127\.0\.0\.1:\d+ responds with 404: /,
    ))

  test('fails for wrong credentials without printing them', async () => {
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'hidden' }
    const message = await checkError({ credentials })
    expect(message).toContain('responds with 403')
    expect(message).not.toContain('hidden')
  })

  test('fails when the server isn’t responding', async () =>
    expect(await checkError({ endpoint: 'http://127.0.0.1:1' })).toContain(
      'cannot be reached (ECONNREFUSED)',
    ))
})

describe('removePartialWrites()', () => {
  test('aborts multipart uploads left by a killed process once they are a day old', async () => {
    const client = new S3Client({ ...server.config, endpoint: server.config.endpoint! } as S3ClientConfig)
    await client.send(new CreateMultipartUploadCommand({ Bucket: server.config.bucket, Key: newKey() }))
    client.destroy()
    await writeFile(join(server.spoolFolder, 'spool-0'), 'left behind')
    await store.removePartialWrites(new Date())
    expect(await server.openUploads()).toHaveLength(1)
    await store.removePartialWrites(new Date(Date.now() + 25 * 60 * 60 * 1000))
    expect(await server.openUploads()).toEqual([])
    expect(await readdir(server.spoolFolder)).toEqual([])
  })
})

describe('hanging bucket', () => {
  test('fails each call by its deadline, then at once, and works after a check', async () => {
    const deadlines = { shortMs: 2000, sendMs: 2000, copyMs: 2000, pauseMs: 3_600_000 }
    const impatient = s3Store(server.config, server.spoolFolder, deadlines)
    const key = newKey()
    await impatient.put(key, bytes(10))
    server.hang(true)
    const late = 'did not respond within 2000 ms'
    await expect(impatient.ping()).rejects.toThrow(late)
    const paused = 'did not respond in time to an earlier call'
    await expect(impatient.get(key)).rejects.toThrow(paused)
    await expect(impatient.put(newKey(), bytes(10))).rejects.toThrow(paused)
    await expect(impatient.put(newKey(), bytes(6 * MB))).rejects.toThrow(paused)
    await expect(impatient.copy(key, newKey())).rejects.toThrow(paused)
    await expect(impatient.remove(key)).rejects.toThrow(paused)
    expect(await readdir(server.spoolFolder)).toEqual([])
    server.hang(false)
    await impatient.ping()
    expect(await impatient.size(key)).toBe(10)
  })
})

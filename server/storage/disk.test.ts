import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StartupError } from '../errors.ts'
import { newId } from '../security/ids.ts'
import { randomHex } from '../security/random.ts'
import { createVault } from '../security/vault.ts'
import { diskStore } from './disk.ts'
import type { ObjectStore } from './object-store.ts'
import { verifyUrlToken } from './signed-urls.ts'

const SECRET = 'a secret for tests, long enough to be one'
const vault = createVault(SECRET)

let folder: string
let store: ObjectStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-objects-'))
  store = diskStore(folder, vault)
  await store.check()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const newKey = () => `${newId()}/${randomHex(16)}`
const partialFiles = () => readdir(join(folder, 'tmp'))
async function* text(value: string) {
  yield Buffer.from(value)
}

test("the disk store keeps an object as a private file in its organization's folder", async () => {
  const org = newId()
  await store.put(`${org}/ab${'c'.repeat(30)}`, text('words'))
  const { mode, size } = await stat(join(folder, org, 'ab', 'c'.repeat(30)))
  expect(size).toBe(5)
  expect(mode & 0o777).toBe(0o600)
})

describe('a process killed during a write', () => {
  /** Starts a process that never finishes its write, and kills it. */
  async function killDuringWrite(key: string) {
    const here = import.meta.dirname
    const code = `
      import { diskStore } from ${JSON.stringify(join(here, 'disk.ts'))}
      import { createVault } from ${JSON.stringify(join(here, '../security/vault.ts'))}
      const content = async function* () {
        for (let i = 0; i < 40; i++) yield Buffer.alloc(65536, 'x')
        await new Promise((resolve) => setInterval(resolve, 2 ** 30))
      }
      await diskStore(${JSON.stringify(folder)}, createVault(${JSON.stringify(SECRET)})).put(${JSON.stringify(key)}, content())
    `
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' })
    const writtenBytes = async () => {
      const [name] = await partialFiles()
      return name ? (await stat(join(folder, 'tmp', name))).size : 0
    }
    await expect.poll(writtenBytes).toBeGreaterThan(1024 * 1024)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  test('leaves no object, only a partial file that a later start removes', async () => {
    const key = newKey()
    await killDuringWrite(key)
    expect(await store.size(key)).toBeNull()
    const [leftover] = await partialFiles()

    await store.check()
    expect(await partialFiles(), 'a process may still write it').toEqual([leftover])
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
    await utimes(join(folder, 'tmp', leftover!), longAgo, longAgo)
    await store.check()
    expect(await partialFiles()).toEqual([])
    expect(await store.size(key)).toBeNull()
  })

  test("leaves a partial file that a running server's hourly sweep removes", async () => {
    await killDuringWrite(newKey())
    await store.removePartialWrites(new Date())
    expect(await partialFiles()).toHaveLength(1)
    await store.removePartialWrites(new Date(Date.now() + 2 * 60 * 60 * 1000))
    expect(await partialFiles()).toEqual([])
  })

  test('leaves nothing once its object is removed; other objects are unchanged', async () => {
    const key = newKey()
    await killDuringWrite(key)
    await writeFile(join(folder, 'tmp', 'another.part'), 'being written')
    await store.remove(key)
    expect(await partialFiles()).toEqual(['another.part'])
  })

  test('does not block a later write to the same object', async () => {
    const key = newKey()
    await killDuringWrite(key)
    await store.put(key, text('whole'))
    expect(await store.size(key)).toBe(5)
  })
})

describe('signed URLs', () => {
  const baseUrl = 'https://atrium.example'
  const expiresAt = new Date(Date.now() + 60_000)
  const tokenOf = (url: string) => url.slice(`${baseUrl}/api/v1/objects/`.length)

  test('point to this server and contain the permission to read', async () => {
    const key = newKey()
    const read = { expiresAt, mimeType: 'text/plain', disposition: 'inline' }
    const url = await store.readUrl(key, { ...read, baseUrl })
    expect(url).toMatch(/^https:\/\/atrium\.example\/api\/v1\/objects\/[\w.-]+$/)
    expect(verifyUrlToken(vault, 'GET', tokenOf(url), new Date())).toEqual({ method: 'GET', key, ...read })
  })

  test('contain the upload size', async () => {
    const key = newKey()
    const url = await store.writeUrl(key, { expiresAt, size: 7, baseUrl })
    expect(verifyUrlToken(vault, 'PUT', tokenOf(url), new Date())).toEqual({
      method: 'PUT',
      key,
      expiresAt,
      size: 7,
    })
  })
})

test('the disk store fails the start with the remedy when the folder is unusable', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  const problem = await diskStore(join(file, 'objects'), vault)
    .check()
    .catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(StartupError)
  expect((problem as Error).message).toBe(
    `The object folder ${file}/objects cannot be used (ENOTDIR): make it writable for this user, set ATRIUM_DATA to another folder, or set ATRIUM_OBJECTS to a bucket.`,
  )
})

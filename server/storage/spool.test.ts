import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSpooled } from './spool.ts'
import { ServerDiskUnavailable } from './unavailable.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-spool-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function* failing(error: Error) {
  yield Buffer.from('first bytes')
  throw error
}
const errorOf = (code: string) => Object.assign(new Error(`${code}: failed`), { code })
const spool = (into: string, content: AsyncIterable<Uint8Array>) =>
  withSpooled(into, content, async ({ size }) => size).catch((error: unknown) => error)

describe('a spool', () => {
  // No file system of a test is full: the content throws what a write to a full one throws.
  test.each([
    ['ENOSPC', true],
    ['EDQUOT', true],
    ['EIO', false],
  ])('reports %s as a server disk failure', async (code, isFull) => {
    const error = await spool(folder, failing(errorOf(code)))
    expect(error).toBeInstanceOf(ServerDiskUnavailable)
    expect(error).toMatchObject({ isFull, cause: { code } })
  })

  test('reports a folder that cannot be created as a server disk failure', async () => {
    await writeFile(join(folder, 'file'), '')
    const error = await spool(join(folder, 'file', 'spool'), failing(errorOf('unused')))
    expect(error).toBeInstanceOf(ServerDiskUnavailable)
    await rm(join(folder, 'file'))
  })

  test("passes on its content's error and leaves no file behind", async () => {
    const aborted = errorOf('ECONNRESET')
    expect(await spool(folder, failing(aborted))).toBe(aborted)
    expect(await readdir(folder)).toEqual([])
  })
})

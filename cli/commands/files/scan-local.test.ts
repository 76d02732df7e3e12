import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { countLocalFiles, type LocalEntry, scanLocal } from './scan-local.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-scan-'))
  await mkdir(join(folder, 'sub', 'empty'), { recursive: true })
  await writeFile(join(folder, '.hidden'), '12345')
  await writeFile(join(folder, 'sub', 'a.txt'), '123')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Names and kinds only. */
const outline = (local: LocalEntry): unknown =>
  local.kind === 'folder' ? { [local.name]: local.children.map(outline) } : `${local.name} ${local.kind}`
const scanChildren = async (follow = false) => {
  const local = await scanLocal(folder, follow)
  return local.kind === 'folder' ? local.children.map(outline) : local
}

describe('scanLocal', () => {
  test('includes hidden files and empty folders', async () => {
    expect(await scanChildren()).toEqual(['.hidden file', { sub: ['a.txt file', { empty: [] }] }])
    expect(countLocalFiles(await scanLocal(folder, false))).toEqual({ files: 2, bytes: 8 })
  })

  test('follows symbolic links only if requested', async () => {
    await symlink(join(folder, '.hidden'), join(folder, 'sub', 'link'))
    expect(await scanChildren()).toContainEqual({ sub: ['a.txt file', { empty: [] }, 'link skipped'] })
    expect(await scanChildren(true)).toContainEqual({ sub: ['a.txt file', { empty: [] }, 'link file'] })
  })

  test('skips a symbolic link to a parent folder', async () => {
    await symlink(folder, join(folder, 'sub', 'up'))
    expect(await scanChildren(true)).toContainEqual({ sub: ['a.txt file', { empty: [] }, 'up skipped'] })
  })

  test('reports unreadable entries', async () => {
    await symlink('/nowhere', join(folder, 'broken'))
    expect(await scanChildren(true)).toContain('broken unreadable')
    expect(await scanLocal(join(folder, 'missing'), false)).toMatchObject({
      kind: 'unreadable',
      name: 'missing',
    })
  })

  test('names a folder by its resolved path', async () => {
    expect(await scanLocal(`${folder}/sub/../sub/`, false)).toMatchObject({ name: 'sub' })
  })
})

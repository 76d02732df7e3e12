import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { countOf, type Local, scanLocal } from './scan-local.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-survey-'))
  await mkdir(join(folder, 'sub', 'empty'), { recursive: true })
  await writeFile(join(folder, '.hidden'), '12345')
  await writeFile(join(folder, 'sub', 'a.txt'), '123')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Names and kinds only, as one reads them. */
const outline = (local: Local): unknown =>
  local.kind === 'folder' ? { [local.name]: local.children.map(outline) } : `${local.name} ${local.kind}`
const within = async (follow = false) => {
  const local = await scanLocal(folder, follow)
  return local.kind === 'folder' ? local.children.map(outline) : local
}

describe('a look through a folder', () => {
  test('finds hidden files and empty folders too', async () => {
    expect(await within()).toEqual(['.hidden file', { sub: ['a.txt file', { empty: [] }] }])
    expect(countOf(await scanLocal(folder, false))).toEqual({ files: 2, bytes: 8 })
  })

  test('follows links only if asked to', async () => {
    await symlink(join(folder, '.hidden'), join(folder, 'sub', 'link'))
    expect(await within()).toContainEqual({ sub: ['a.txt file', { empty: [] }, 'link left out'] })
    expect(await within(true)).toContainEqual({ sub: ['a.txt file', { empty: [] }, 'link file'] })
  })

  test('does not go round in circles', async () => {
    await symlink(folder, join(folder, 'sub', 'up'))
    expect(await within(true)).toContainEqual({ sub: ['a.txt file', { empty: [] }, 'up left out'] })
  })

  test('says what cannot be read', async () => {
    await symlink('/nowhere', join(folder, 'broken'))
    expect(await within(true)).toContain('broken unreadable')
    expect(await scanLocal(join(folder, 'missing'), false)).toMatchObject({
      kind: 'unreadable',
      name: 'missing',
    })
  })

  test('gives a folder the name it has, however it is named', async () => {
    expect(await scanLocal(`${folder}/sub/../sub/`, false)).toMatchObject({ name: 'sub' })
  })
})

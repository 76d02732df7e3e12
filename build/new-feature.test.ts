import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeFeature } from './new-feature.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'atrium-new-'))
  for (const folder of ['migrations', 'server/features/projects', 'server/features/home'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'migrations/0093_last.sql'), '')
  writeFileSync(join(root, 'server/features/home/home.ts'), '')
})
afterEach(() => rmSync(root, { recursive: true }))

describe('npm run new -- feature', () => {
  test('writes a migration, a contract, a public module and a test, and prints the next steps', () => {
    const lines = writeFeature(root, 'projects/book-marks')
    const written = lines.filter((line) => line.startsWith('wrote ')).map((line) => line.slice(6))
    expect(written).toEqual([
      'migrations/0094_book_marks.sql',
      'contract/projects/book-marks.ts',
      'server/features/projects/book-marks/book-marks.ts',
      'server/features/projects/book-marks/book-marks.test.ts',
    ])
    for (const file of written.slice(1)) {
      const text = readFileSync(join(root, file), 'utf8')
      expect(stripTypeScriptTypes(text), file).toContain('bookMarks')
    }
    expect(lines.join('\n')).toContain('list bookMarks in contract/index.ts and server/features.ts')
  })

  test.each([
    ['bookmarks', /Name the feature as <group>\/<name>/],
    ['nothing/bookmarks', /nothing is not a group/],
    ['home/bookmarks', /home is one feature/],
  ])('refuses %s', (path, message) => {
    expect(() => writeFeature(root, path)).toThrow(message)
  })

  test('overwrites nothing', () => {
    writeFeature(root, 'projects/bookmarks')
    expect(() => writeFeature(root, 'projects/bookmarks')).toThrow(/bookmarks.ts exists/)
  })
})

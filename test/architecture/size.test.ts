import { describe, expect, test } from 'vitest'
import { fence } from './fence.ts'
import { codeFiles, sources, textOf } from './imports.ts'

const LINES_MAX = 300
const LINES_MEDIAN_MAX = 80
const LINES_NINE_OF_TEN_MAX = 200
const SOURCES_MAX = 25

const lengthOf = (file: string) => textOf(file).split('\n').length

describe('size', () => {
  test(`no file has more than ${LINES_MAX} lines`, () => {
    fence(
      'split by noun or behavior, tests and styles as well',
      codeFiles
        .filter((file) => lengthOf(file) > LINES_MAX)
        .map((file) => `${file}: ${lengthOf(file)} lines`),
    )
  })

  test(`half of the sources have at most ${LINES_MEDIAN_MAX} lines, nine of ten ${LINES_NINE_OF_TEN_MAX}`, () => {
    const lengths = sources.map(lengthOf).sort((left, right) => left - right)
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(LINES_MEDIAN_MAX)
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(LINES_NINE_OF_TEN_MAX)
  })

  test(`no folder has more than ${SOURCES_MAX} source files`, () => {
    const counts = new Map<string, number>()
    for (const file of sources) {
      const folder = file.slice(0, file.lastIndexOf('/'))
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    fence(
      'split a folder by noun before its listing stops being a table of contents',
      [...counts]
        .filter(([, count]) => count > SOURCES_MAX)
        .map(([folder, count]) => `${folder}: ${count} files`),
    )
  })
})

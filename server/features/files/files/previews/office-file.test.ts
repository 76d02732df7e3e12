import { expect, test } from 'vitest'
import { checkXml } from './office-file.ts'
import { shortenSheetList } from './table-xlsx.ts'

// A scan that starts again at every tag would take hours for these, so the test would end at its time limit.
const MANY = 2_000_000

test('checkXml reads millions of unclosed tags in one pass', () => {
  checkXml(Buffer.from('<a</'.repeat(MANY)))
})

test('shortenSheetList reads millions of unclosed tags in one pass', () => {
  const shortened = shortenSheetList(Buffer.from('<sheet '.repeat(MANY)), 10)
  expect([shortened.content.length, shortened.omittedSheets]).toEqual([7 * MANY, 0])
})

test('checkXml accepts 256 levels and rejects more, with and without self-closing tags', () => {
  const nested = (levels: number) =>
    Buffer.from('<a>'.repeat(levels) + '<b/>'.repeat(9) + '</a>'.repeat(levels))
  checkXml(nested(256))
  expect(() => checkXml(nested(257))).toThrow('too_complex')
})

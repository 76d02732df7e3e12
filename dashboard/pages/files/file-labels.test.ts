import { expect, test } from 'vitest'
import {
  copyName,
  extensionStart,
  formatRemaining,
  formatSize,
  nameLabel,
  nameOrCount,
} from './file-labels.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [1536, '1.5 KB'],
  [52_000, '51 KB'],
  [1_040_000, '1.0 MB'],
  [104_857_600, '100 MB'],
  [5_000_000_000, '4.7 GB'],
])('formatSize formats %d bytes as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

test.each([
  ['report.pdf', 'report (copy).pdf'],
  ['archive.tar.gz', 'archive.tar (copy).gz'],
  ['.env', '.env (copy)'],
  ['README', 'README (copy)'],
])('copyName turns %s into %s', (name, copy) => {
  expect(copyName(name)).toBe(copy)
})

test('extensionStart excludes the extension, and returns the length of a name without one', () => {
  expect('report.pdf'.slice(0, extensionStart('report.pdf'))).toBe('report')
  expect('.gitignore'.slice(0, extensionStart('.gitignore'))).toBe('.gitignore')
})

test.each([
  ['a b', 'a b'],
  [' ', '“ ”'],
  ['\u200b\u3000', '“\u200b\u3000”'],
])('nameLabel shows %j as %s', (name, label) => expect(nameLabel(name)).toBe(label))

test('nameOrCount returns the name of one file and the number of several', () => {
  expect(nameOrCount([{ name: 'a.txt' }])).toBe('a.txt')
  expect(nameOrCount(Array.from({ length: 1200 }, () => ({ name: 'a' })))).toBe('1,200 items')
})

test.each([
  [0.2, '1 s'],
  [42, '42 s'],
  [300, '5 min'],
  [7200, '2 h'],
])('formatRemaining formats %d seconds as %s', (seconds, text) => {
  expect(formatRemaining(seconds)).toBe(text)
})

import { expect, test } from 'vitest'
import { copyName, extensionStart, nameLabel, nameOrCount, typeName } from './file-labels.ts'

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

test("nameOrCount returns one file's name, or the number of files", () => {
  expect(nameOrCount([{ name: 'a.txt' }])).toBe('a.txt')
  expect(nameOrCount(Array.from({ length: 1200 }, () => ({ name: 'a' })))).toBe('1,200 items')
})

test.each([
  ['application/pdf', 'PDF document'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Word document'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'Excel workbook'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'PowerPoint presentation'],
  ['text/plain; charset=utf-8', 'Text'],
  ['text/csv', 'CSV table'],
  ['image/png', 'PNG image'],
  ['image/svg+xml', 'SVG image'],
  ['audio/mpeg', 'MP3 audio'],
  ['video/mp4', 'MP4 video'],
  ['application/zip', 'ZIP archive'],
  ['application/x-7z-compressed', '7Z archive'],
  ['application/ld+json', 'JSON'],
  ['application/octet-stream', 'File'],
  ['', 'File'],
])('typeName calls %s a %s', (mimeType, name) => expect(typeName(mimeType)).toBe(name))

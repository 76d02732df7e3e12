import { expect, test } from 'vitest'
import { previewKind } from './kinds.ts'

test.each([
  ['text/plain', 'notes.txt', 'text', null],
  ['text/plain', 'README.md', 'markdown', null],
  ['text/plain', 'table.csv', 'csv', null],
  ['text/plain', 'server.py', 'text', 'python'],
  ['application/octet-stream', 'main.rs', 'text', 'rust'],
  ['application/octet-stream', 'program.bin', 'unsupported', null],
  ['text/x-python', 'script', 'text', 'python'],
  ['text/x-unknown', 'script', 'text', null],
  ['application/json', 'data', 'text', 'json'],
  ['application/geo+json', 'map', 'text', 'json'],
  ['application/xml', 'feed.xml', 'text', 'xml'],
  ['text/html', 'page.md', 'text', 'html'],
  ['image/svg+xml', 'fox.png', 'text', 'xml'],
  ['image/png', 'fox.svg', 'image', null],
  ['image/tiff', 'scan.tiff', 'unsupported', null],
  ['text/rtf', 'letter.rtf', 'unsupported', null],
  ['application/msword', 'letter.doc', 'unsupported', null],
  ['application/vnd.ms-excel', 'table.xls', 'workbook', null],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'talk.pptx', 'pptx', null],
  ['application/vnd.ms-powerpoint', 'talk.ppt', 'unsupported', null],
  ['application/zip', 'a.docx', 'unsupported', null],
])('kindOf previews %s named %s as %s (language %s)', (mimeType, name, kind, language) => {
  expect(previewKind(mimeType, name)).toEqual({ kind, language })
})

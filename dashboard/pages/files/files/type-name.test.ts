import { expect, test } from 'vitest'
import { typeName } from './type-name.ts'

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

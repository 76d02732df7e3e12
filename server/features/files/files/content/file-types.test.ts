import { describe, expect, test } from 'vitest'
import { declaredType, resolveType } from './file-types.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const ZIP = Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0\0\0'), Buffer.alloc(20)])
const OLD_OFFICE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n')

const resolvedType = async (content: Buffer | string, name: string, contentType = '') => {
  const declared = declaredType(contentType, name, 'body.file')
  const { mimeType } = await resolveType({ name, declared, field: 'body.file' }, Buffer.from(content))
  return mimeType
}

describe('a declared type', () => {
  test.each([
    ['image/png', PNG, 'a.png'],
    ['application/pdf', PDF, 'a.pdf'],
    ['application/pdf', Buffer.concat([Buffer.from('\x80 sent by a printer\n', 'latin1'), PDF]), 'a.pdf'],
    ['application/zip', ZIP, 'a.zip'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', ZIP, 'a.docx'],
    ['application/vnd.ms-excel', OLD_OFFICE, 'a.xls'],
    ['application/msword', OLD_OFFICE, 'a.doc'],
    ['image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.svg'],
    ['text/html', Buffer.from('<!doctype html>'), 'a.html'],
    ['application/json', Buffer.from('{}'), 'a.json'],
    ['text/plain', Buffer.from('MZ begins this sentence'), 'a.txt'],
    ['text/plain', Buffer.from('\ufeffgrüß', 'utf16le'), 'a.txt'],
    ['text/x-haskell', Buffer.from('main = pure ()'), 'a.hs'],
  ])('%s is accepted when the content matches', async (type, content, name) => {
    expect(await resolvedType(content, name, type)).toBe(type)
  })

  test.each([
    ['a PNG declared as PDF', 'application/pdf', PNG],
    ['text declared as PNG', 'image/png', Buffer.from('hello')],
    ['a PNG declared as text', 'text/plain', PNG],
    ['a PDF declared as text', 'text/plain', PDF],
    [
      'a sentence that starts with the BMP signature declared as BMP',
      'image/bmp',
      Buffer.from('BMW builds cars'),
    ],
    ['a PNG declared as XLS', 'application/vnd.ms-excel', PNG],
  ])('is rejected when the content contradicts it: %s', async (_, type, content) => {
    await expect(resolvedType(content, 'a', type)).rejects.toMatchObject({
      message: expect.stringContaining('Not a valid'),
      details: [{ path: 'body.file' }],
    })
  })

  test('is rejected by name when it is not allowed', () => {
    expect(() => declaredType('application/x-msdownload', 'a', 'body.mimeType')).toThrow(
      'body.mimeType has the type application/x-msdownload, which is not allowed',
    )
    expect(() => declaredType('font/woff2', 'a', 'body.mimeType')).toThrow('is not allowed')
  })

  test('is normalized from aliases, letter case and a charset parameter', () => {
    expect(declaredType('Image/JPG', 'a', 'f')?.mimeType).toBe('image/jpeg')
    expect(declaredType('text/csv; charset=utf-8', 'a', 'f')?.mimeType).toBe('text/csv')
  })

  test('is corrected where operating systems map the extension incorrectly', async () => {
    expect(await resolvedType('let a: number', 'a.ts', 'video/mp2t')).toBe('text/x-typescript')
    expect(await resolvedType('a;b', 'a.csv', 'application/vnd.ms-excel')).toBe('text/csv')
  })
})

describe('an upload without a declared type', () => {
  test.each([
    ['image/png', PNG, 'photo.png'],
    ['image/png', PNG, 'no extension'],
    ['text/markdown', Buffer.from('# Hi'), 'README.MD'],
    ['text/plain', Buffer.from('BM is how this note begins'), 'note'],
    ['text/plain', Buffer.from('hello'), 'LICENSE'],
    ['application/vnd.ms-excel', OLD_OFFICE, 'old.xls'],
    ['text/csv', Buffer.alloc(0), 'empty.csv'],
    ['text/plain', Buffer.alloc(0), 'empty'],
    ['image/png', PNG, 'wrong-extension.pdf'],
  ])('resolves to %s by content and name', async (type, content, name) => {
    expect(await resolvedType(content, name, 'application/octet-stream')).toBe(type)
  })

  test('is rejected when the content has no allowed type', async () => {
    await expect(resolvedType(Buffer.from([1, 0, 2, 0, 0xff]), 'data.bin')).rejects.toThrow(
      'of an unknown type',
    )
    await expect(resolvedType(OLD_OFFICE, 'data.bin')).rejects.toThrow('is not allowed')
  })
})

describe('an executable', () => {
  const mz = Buffer.concat([Buffer.from('MZ\x90\0\x03\0'), Buffer.alloc(64)])
  test.each([
    ['Windows', mz],
    ['Linux', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0'), Buffer.alloc(56)])],
    ['macOS', Buffer.concat([Buffer.from('cffaedfe0700000103000000', 'hex'), Buffer.alloc(32)])],
    ['Java', Buffer.from('cafebabe0000003d00100a000200030700', 'hex')],
    ['WebAssembly', Buffer.from('0061736d01000000', 'hex')],
  ])('is rejected by content for %s, under any name and declared type', async (_, content) => {
    for (const contentType of ['', 'image/png', 'text/plain', 'application/zip'])
      await expect(resolvedType(content, 'holiday.png', contentType)).rejects.toThrow('is an executable')
  })

  test.each(['setup.exe', 'GAME.COM', 'a.scr', 'lib.so', 'tool.jar', 'run.bat', 'x.exe ', 'x.lnk'])(
    'is rejected by its file name: %s',
    (name) => {
      expect(() => declaredType('text/plain', name, 'body.file')).toThrow('is an executable')
    },
  )

  test("is accepted as text if it's a shell script", async () => {
    expect(await resolvedType('#!/bin/sh\necho hi', 'run.sh')).toBe('application/x-sh')
  })
})

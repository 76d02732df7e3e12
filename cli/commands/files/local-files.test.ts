import { basename, join, resolve } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNamer, localName } from './local-files.ts'

describe('localName', () => {
  test.each([
    ['q1.pdf', 'q1.pdf'],
    ['日本語 🎉.txt', '日本語 🎉.txt'],
    ['.hidden', '.hidden'],
    ['aux.c', 'aux.c'],
    ['..', '__'],
    ['.', '_'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['/etc/passwd', '_etc_passwd'],
    ['C:\\Windows', 'C:_Windows'],
    ['a\0b', 'a_b'],
    ['red\u001b[31m', 'red_[31m'],
    ['\u202efdp.exe', '_fdp.exe'],
  ])('maps %j to %j', (remote, local) => {
    expect(localName(remote, 'linux')).toBe(local)
  })

  test.each([
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['aux .c', '_aux .c'],
    ['COM¹', '_COM¹'],
    ['console', 'console'],
    ['a:b?.txt', 'a_b_.txt'],
    ['C:evil', 'C_evil'],
    ['end. ', 'end__'],
  ])('maps %j to %j on Windows', (remote, local) => {
    expect(localName(remote, 'win32')).toBe(local)
  })

  test('shortens a long name to 255 bytes and preserves its extension', () => {
    const local = localName(`${'漢'.repeat(250)}.xlsx`, 'linux')
    expect(Buffer.byteLength(local)).toBeLessThanOrEqual(255)
    expect(local).toMatch(/^漢+\.xlsx$/)
  })

  test('stays inside the folder for any input', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('.', '/', '\\', '\0', ':', 'a', ' ', '\n', '\ud800'),
      maxLength: 20,
    })
    const anything = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) })
    const folder = resolve('/target')
    fc.assert(
      fc.property(fc.oneof(hostile, anything), (name) => {
        const local = localName(name, 'linux')
        const path = join(folder, local)
        return path === `${folder}/${local}` && basename(path) === local && !local.includes('\0')
      }),
    )
  })
})

describe('createNamer', () => {
  test('numbers equal names', () => {
    const name = createNamer('linux')
    expect(['a.txt', 'a.txt', 'a.txt', 'a (2).txt', 'A.txt', 'b', 'b'].map(name)).toEqual([
      'a.txt',
      'a (2).txt',
      'a (3).txt',
      'a (2) (2).txt',
      'A.txt',
      'b',
      'b (2)',
    ])
  })

  test('numbers names that become equal, within 255 bytes', () => {
    const name = createNamer('linux')
    expect([name('a/b'), name('a\\b')]).toEqual(['a_b', 'a_b (2)'])
    const long = 'x'.repeat(255)
    expect([name(long), name(long)].map((local) => Buffer.byteLength(local))).toEqual([255, 255])
  })

  test('numbers names that a case-insensitive file system treats as equal', () => {
    const name = createNamer('darwin')
    expect(['Read.me', 'read.me', 'e\u0301', '\u00e9'].map(name)).toEqual([
      'Read.me',
      'read (2).me',
      'e\u0301',
      '\u00e9 (2)',
    ])
  })
})

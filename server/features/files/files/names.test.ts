import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toGrams, toSearchKey, toSortKey } from '../../../database/name-keys.ts'
import { createFileClient } from '../../../testing/clients/file-client.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { toCopyName } from './names.ts'

const HOSTILE = [
  '..',
  '.',
  '%2e%2e%2f',
  '../../etc/passwd',
  'C:\\Windows\\nul',
  'ملف.txt',
  'קובץ',
  'फ़ाइल',
  '文件',
  'ファイル',
  '파일',
  'ไฟล์',
  'αρχείο',
  'файл',
  '👩‍👩‍👧‍👦 🏳️‍🌈.png',
  'evil\u202Egnp.exe',
  '\u200Fright to left\u200E',
  '\u2066isolated\u2069',
  'zero\u200Bwidth',
  'e\u0301 and é',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘',
  '<script>alert(1)</script>',
  "'; drop table files; --",
  '{"$gt": ""}',
  '#{7 * 7} $(id)',
  '\ttab and \u0001 control',
  ' leading and trailing ',
  'CON',
  'a'.repeat(255),
  '𝒳'.repeat(255),
  'a\u0301'.repeat(127),
  '\uFDFA'.repeat(255),
  '9'.repeat(255),
]

describe('a hostile file name', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await buildTestApp()
  })
  afterAll(() => app.close())

  test('is returned unchanged by every endpoint', async () => {
    const { files, folder, upload, link } = await createFileClient(app)
    for (const name of HOSTILE) {
      const { id } = await folder(name)
      expect((await files.get({ id })).name).toBe(name)
      const file = await upload('plain', id)
      expect((await files.update({ id: file.id, name })).name).toBe(name)
      expect((await files.get({ id: file.id })).ancestors).toEqual([{ id, name }])
      expect((await link(file.id, id)).name).toBe(name)
      const found = (await files.list({ search: name, parentId: id })).items
      expect(
        found.map((item) => item.name),
        name,
      ).toEqual([name, name])
      await files.remove({ id: file.id })
      expect((await files.restore({ id: file.id })).name).toBe(name)
      expect([...(await files.copy({ id: file.id })).name].length).toBeLessThanOrEqual(255)
    }
  })

  test.each(['a\0b', 'a\rb', 'a\nb', '', 'a'.repeat(256), '𝒳'.repeat(256), '\ud800'])(
    "is rejected with the field's path when it is %j",
    async (name) => {
      const { headers, upload } = await createFileClient(app)
      const { id } = await upload('plain')
      const calls = [
        app.request('POST', '/api/v1/files', { headers, body: { source: 'folder', name } }),
        app.request('PATCH', `/api/v1/files/${id}`, { headers, body: { name } }),
        app.request('POST', `/api/v1/files/${id}/copy`, { headers, body: { name } }),
      ]
      for (const { status, body } of await Promise.all(calls)) {
        expect([status, body.error.code, body.error.details[0].path]).toEqual([
          400,
          'BAD_REQUEST',
          'body.name',
        ])
      }
    },
  )
})

describe('sortKeyOf', () => {
  const sorted = (names: string[]) =>
    names.toSorted((left, right) =>
      Buffer.compare(Buffer.from(toSortKey(left)), Buffer.from(toSortKey(right))),
    )

  test('orders numbers of any length by value', () => {
    const names = [
      '1',
      '2',
      '10',
      '99999999',
      '100000000',
      '12345678901234567',
      '123456789012345678',
      '1'.repeat(40),
    ]
    expect(sorted(names.toReversed())).toEqual(names)
  })

  test('orders any two numbers like integer comparison', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        (left, right) => {
          const isBefore =
            Buffer.compare(Buffer.from(toSortKey(`${left}`)), Buffer.from(toSortKey(`${right}`))) < 0
          expect(isBefore).toBe(left < right)
        },
      ),
    )
  })

  test('ignores case and accents and stays within 800 bytes', () => {
    expect(sorted(['b', 'Á', 'a', 'B'])).toEqual(['Á', 'a', 'b', 'B'])
    for (const name of HOSTILE) expect(Buffer.byteLength(toSortKey(name))).toBeLessThanOrEqual(800)
  })
})

test("gramsOf returns only the name's grams for every part of it", () => {
  const substringsOf = (name: string) => {
    const points = [...toSearchKey(name)]
    return new Set([1, 2, 3].flatMap((size) => points.map((_, at) => points.slice(at, at + size).join(''))))
  }
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      fc.string(),
      (before, part, after) => {
        const name = before + part + after
        fc.pre(toSearchKey(name).includes(toSearchKey(part)))
        expect(toGrams(part).every((gram) => substringsOf(name).has(gram))).toBe(true)
      },
    ),
  )
})

test.each([
  ['report.pdf', 'upload', 'report (copy).pdf'],
  ['archive.tar.gz', 'upload', 'archive.tar (copy).gz'],
  ['.profile', 'upload', '.profile (copy)'],
  ['v1.2 notes', 'folder', 'v1.2 notes (copy)'],
  [`${'x'.repeat(251)}.pdf`, 'upload', `${'x'.repeat(244)} (copy).pdf`],
] as const)('copyNameOf names copies: %s (%s) becomes %s', (name, source, expected) => {
  expect(toCopyName(name, source)).toBe(expected)
})

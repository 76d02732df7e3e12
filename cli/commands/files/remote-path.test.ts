import { describe, expect, test } from 'vitest'
import { formatPath, isExplicit, isRoot, parsePath } from './find.ts'

const ID = '0199c0de-0000-7000-8000-00000000000a'

describe('a remote path', () => {
  test.each([
    ['/Reports/2026/q1.pdf', null, ['Reports', '2026', 'q1.pdf']],
    ['Reports//2026/', null, ['Reports', '2026']],
    ['/', null, []],
    ['/../x', null, ['..', 'x']],
    [ID, ID, []],
    [`id:${ID.toUpperCase()}`, ID, []],
    [`id:${ID}/a/b`, ID, ['a', 'b']],
    [`/${ID}`, null, [ID]],
    [`${ID}.txt`, null, [`${ID}.txt`]],
  ])('parses %s into a start id and names', (text, id, names) => {
    expect(parsePath(text)).toEqual({ id, names })
  })

  test('formats a parsed path as it was written', () => {
    for (const text of ['/', '/a/b', `id:${ID}`, `id:${ID}/a`]) expect(formatPath(parsePath(text))).toBe(text)
  })

  test('rejects an invalid id after id:', () => {
    expect(() => parsePath('id:nonsense')).toThrow('is not an id')
  })

  test('recognizes the root', () => {
    expect(['/', '', '//', '/a', ID].map((text) => isRoot(parsePath(text)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('is explicit if it starts with a slash or an id', () => {
    expect(['/a', ID, `id:${ID}/a`, 'a.txt', `${ID}.txt`].map(isExplicit)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })
})

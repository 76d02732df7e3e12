import { describe, expect, test } from 'vitest'
import { formatPath, isExplicit, isRoot, parsePath } from './remote-path.ts'

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
  ])('%s is an id or the root, and names', (text, id, names) => {
    expect(parsePath(text)).toEqual({ id, names })
  })

  test('reads back as it was meant', () => {
    for (const text of ['/', '/a/b', `id:${ID}`, `id:${ID}/a`]) expect(formatPath(parsePath(text))).toBe(text)
  })

  test('with id: in front must be an id', () => {
    expect(() => parsePath('id:nonsense')).toThrow('is not an id')
  })

  test('only the root is the root', () => {
    expect(['/', '', '//', '/a', ID].map((text) => isRoot(parsePath(text)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('is told apart from a local one by how it begins', () => {
    expect(['/a', ID, `id:${ID}/a`, 'a.txt', `${ID}.txt`].map(isExplicit)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })
})

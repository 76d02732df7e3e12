import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createVault } from '../security/vault.ts'
import { cursorPage, decodeCursor, encodeCursor } from './cursor.ts'

const vault = createVault('a secret for tests, long enough to be one')
const refusal = expect.objectContaining({
  code: 'BAD_REQUEST',
  details: [{ path: 'query.cursor', message: 'is not a cursor for this list' }],
})

describe('a cursor', () => {
  test('decodes to its position in its own list', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (list, position) => {
        expect(decodeCursor(vault, list, encodeCursor(vault, list, position))).toBe(position)
      }),
    )
  })

  test('needs no escaping in a URL', () => {
    fc.assert(
      fc.property(fc.string(), (position) => {
        expect(encodeCursor(vault, 'list', position)).toMatch(/^[\w-]+$/)
      }),
    )
  })

  test('is refused by any other list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (list, other, position) => {
        fc.pre(list !== other)
        expect(() => decodeCursor(vault, other, encodeCursor(vault, list, position))).toThrow(refusal)
      }),
    )
  })

  test('is refused by a server with another secret', () => {
    const otherVault = createVault('another secret, long enough to be one')
    expect(() => decodeCursor(vault, 'list', encodeCursor(otherVault, 'list', '1'))).toThrow(refusal)
  })

  test('is refused if its position was changed', () => {
    const forged = Buffer.from(encodeCursor(vault, 'list', '1'), 'base64url')
      .toString()
      .replace(/1$/, '2')
    expect(() => decodeCursor(vault, 'list', Buffer.from(forged).toString('base64url'))).toThrow(refusal)
  })

  test('is refused if forged', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(vault, 'list', text)).toThrow(refusal)
      }),
    )
  })

  test('decodes to the beginning if absent', () => expect(decodeCursor(vault, 'list', undefined)).toBeNull())
})

describe('pages', () => {
  const rows = Array.from({ length: 7 }, (_, n) => ({ id: `${n}` }))
  const read = (limit: number, cursor?: string) => {
    const after = decodeCursor(vault, 'list', cursor)
    const rest = rows.filter(({ id }) => after === null || id > after).slice(0, limit + 1)
    return cursorPage(vault, 'list', limit, rest, ({ id }) => id)
  }

  test.each([1, 2, 3, 6, 7, 8])(
    'contain every row once for %i items, and the last has no next cursor',
    (limit) => {
      const seen: string[] = []
      let cursor: string | null | undefined
      do {
        const page = read(limit, cursor ?? undefined)
        expect(page.items.length).toBeLessThanOrEqual(limit)
        seen.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(seen).toEqual(rows.map(({ id }) => id))
    },
  )

  test('consist of one empty page for an empty list', () =>
    expect(cursorPage(vault, 'list', 5, [], (row) => row)).toEqual({ items: [], nextCursor: null }))
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitText } from './split-text.ts'

test('an answer is split at word ends into messages carriers accept, and cut after four', () => {
  const units = fc.constantFrom('word ', 'a longer sentence. ', '\n', '😀', 'x'.repeat(90), 'é')
  fc.assert(
    fc.property(fc.array(units, { maxLength: 400 }), (list) => {
      const text = list.join('')
      const parts = splitText(text)
      expect(parts.length).toBeLessThanOrEqual(4)
      for (const part of parts) {
        expect(part.length).toBeGreaterThan(0)
        expect(part.length).toBeLessThanOrEqual(1600)
        expect(part.isWellFormed()).toBe(true)
      }
      const plain = (value: string) => value.replace(/\s+/g, '')
      const sentText = plain(parts.join(''))
      const isCut = sentText.endsWith('...')
      expect(isCut ? plain(text).startsWith(sentText.slice(0, -3)) : sentText === plain(text)).toBe(true)
      if (text.length <= 1600 * 3) expect(isCut).toBe(false)
    }),
  )
  expect(splitText(' \n ')).toEqual([])
})

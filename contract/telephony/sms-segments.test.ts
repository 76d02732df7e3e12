import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureSms } from './sms-segments.ts'

test("measureSms counts septets, or 16-bit units if a character isn't in GSM 03.38", () => {
  const cases: [string, ReturnType<typeof measureSms>][] = [
    ['', { encoding: 'GSM-7', segments: 1, left: 160 }],
    ['a'.repeat(160), { encoding: 'GSM-7', segments: 1, left: 0 }],
    ['a'.repeat(161), { encoding: 'GSM-7', segments: 2, left: 145 }],
    ['a'.repeat(306), { encoding: 'GSM-7', segments: 2, left: 0 }],
    ['a'.repeat(307), { encoding: 'GSM-7', segments: 3, left: 152 }],
    ['€'.repeat(80), { encoding: 'GSM-7', segments: 1, left: 0 }],
    ['Grüße, ñ?', { encoding: 'GSM-7', segments: 1, left: 151 }],
    ['ą'.repeat(70), { encoding: 'UCS-2', segments: 1, left: 0 }],
    ['ą'.repeat(71), { encoding: 'UCS-2', segments: 2, left: 63 }],
    ['It’s', { encoding: 'UCS-2', segments: 1, left: 66 }],
    ['😀'.repeat(35), { encoding: 'UCS-2', segments: 1, left: 0 }],
  ]
  for (const [text, size] of cases) expect(measureSms(text), text).toEqual(size)
})

test('no segment splits an escaped character or an emoji', () => {
  // 152 septets and a character of two septets, which begins the second segment.
  expect(measureSms(`${'a'.repeat(152)}€${'a'.repeat(20)}`)).toEqual({
    encoding: 'GSM-7',
    segments: 2,
    left: 131,
  })
  expect(measureSms(`${'ą'.repeat(66)}😀${'ą'.repeat(10)}`)).toEqual({
    encoding: 'UCS-2',
    segments: 2,
    left: 55,
  })
})

test('measureSms chooses the encoding, and leaves at most one unit per segment unused', () => {
  const characters = fc.constantFrom('a', 'Z', 'é', '€', '|', '\n', 'я', '😀', '“', '中')
  fc.assert(
    fc.property(fc.array(characters, { maxLength: 400 }), (list) => {
      const { encoding, segments } = measureSms(list.join(''))
      const isGsm = list.every((character) => 'aZé€|\n'.includes(character))
      expect(encoding).toBe(isGsm ? 'GSM-7' : 'UCS-2')
      const width = (character: string) => ((isGsm ? '€|' : '😀').includes(character) ? 2 : 1)
      const units = list.reduce((sum, character) => sum + width(character), 0)
      const [single, joined] = isGsm ? [160, 153] : [70, 67]
      const isSingle = units <= single
      expect(segments).toBeGreaterThanOrEqual(isSingle ? 1 : Math.ceil(units / joined))
      // At most one unit of a segment stays unused.
      expect(segments).toBeLessThanOrEqual(isSingle ? 1 : Math.ceil(units / (joined - 1)))
    }),
  )
  expect(measureSms('😀'.repeat(1600)).segments).toBe(49)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextValidator } from './text-encoding.ts'

const isText = (chunks: Buffer[]) => {
  const check = createTextValidator()
  return chunks.every((chunk) => check.accepts(chunk)) && check.isComplete()
}
const splitInto = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))

const BOM = '\ufeff'
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()

test('the validator accepts text at any chunk size', () => {
  const anyText = fc
    .string({ unit: 'grapheme-composite' })
    .map((text) => text.toWellFormed().replaceAll('\0', ''))
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 7 }), (text, size) => {
      expect(isText(splitInto(Buffer.from(text), size))).toBe(true)
      expect(isText(splitInto(Buffer.from(BOM + text, 'utf16le'), size))).toBe(true)
      expect(isText(splitInto(bigEndian(BOM + text), size))).toBe(true)
    }),
  )
})

test('the validator agrees with a strict decoder on any bytes at any chunk size', () => {
  const decodesStrictly = (bytes: Uint8Array) => {
    try {
      const label = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
      return !new TextDecoder(label, { fatal: true }).decode(bytes).includes('\0')
    } catch {
      return false
    }
  }
  const byte: fc.Arbitrary<number> = fc.constantFrom<number>(
    0x00,
    0x41,
    0x7f,
    0x80,
    0xbf,
    0xc3,
    0xd8,
    0xdc,
    0xe2,
    0x82,
    0xed,
    0xa0,
    0xf0,
    0x9f,
    0xf4,
    0xff,
  )
  const anyBytes = fc.array(byte, { maxLength: 12 }).filter(([a, b]) => !(a === 0xfe && b === 0xff))
  fc.assert(
    fc.property(anyBytes, fc.integer({ min: 1, max: 5 }), (bytes, size) => {
      expect(isText(splitInto(Buffer.from(bytes), size))).toBe(decodesStrictly(Uint8Array.from(bytes)))
    }),
    { numRuns: 2000 },
  )
})

test('the validator rejects NUL in UTF-8 and UTF-16', () => {
  expect(isText([Buffer.from('a\0b')])).toBe(false)
  expect(isText([Buffer.from(`${BOM}a\0b`, 'utf16le')])).toBe(false)
  expect(isText([bigEndian(`${BOM}a\0`)])).toBe(false)
  expect(isText([Buffer.from([0])])).toBe(false)
})

test('the validator accepts empty input and one letter, and rejects an incomplete character', () => {
  expect(isText([])).toBe(true)
  expect(isText([Buffer.from('a')])).toBe(true)
  expect(isText([Buffer.from([0xc3])])).toBe(false)
})

import { describe, expect, test } from 'vitest'
import { decode } from './encoding.ts'
import type { RenderJob } from './job.ts'
import { truncateBytes } from './limits.ts'
import { renderText } from './text.ts'

const jobOf = (language: string | null = null, isPartial = false): RenderJob => ({
  format: 'text',
  mimeType: 'text/plain',
  language,
  isPartial,
  textBytesMax: 524_288,
})
const render = (bytes: Uint8Array | string, language: string | null = null) =>
  renderText(Buffer.from(bytes as string), jobOf(language))

describe('a text preview', () => {
  test('contains a 524,288-byte file completely', () => {
    const { text, truncated } = render('x'.repeat(524_288))
    expect([text.length, truncated]).toEqual([524_288, false])
  })

  test('truncates a 524,289-byte file to 524,288 bytes', () => {
    const { text, truncated } = render('x'.repeat(524_289))
    expect([text.length, truncated]).toEqual([524_288, true])
  })

  test.each([
    ['é', 2],
    ['€', 3],
    ['🦊', 4],
  ])('never truncates in the middle of %s', (character, size) => {
    for (let shift = 0; shift < size; shift++) {
      const whole = 'x'.repeat(shift) + character.repeat(524_288 / size + 1)
      const { text } = render(whole)
      expect(whole.startsWith(text)).toBe(true)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(524_288)
      expect(Buffer.byteLength(text)).toBeGreaterThan(524_288 - size)
    }
  })

  test('applies the limit to UTF-16 text in its UTF-8 form', () => {
    const { text, truncated } = render(Buffer.from(`\uFEFF${'x'.repeat(524_288)}`, 'utf16le'))
    expect([text.length, truncated]).toEqual([524_288, false])
  })

  test('is marked as truncated for a partial file and omits an incomplete last character', () => {
    const bytes = Buffer.from('so far €').subarray(0, -1)
    expect(renderText(bytes, jobOf(null, true))).toMatchObject({ text: 'so far ', truncated: true })
  })

  test("is empty when the limit is below the first character's size", () =>
    expect(truncateBytes('🦊', 3)).toBe(''))
})

describe('decode', () => {
  test.each([
    ['UTF-8', Buffer.from('Grüße 🦊')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFGrüße 🦊')],
    ['little-endian UTF-16', Buffer.from('\uFEFFGrüße 🦊', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('\uFEFFGrüße 🦊', 'utf16le').swap16()],
  ])('reads %s', (_, bytes) => expect(decode(bytes)).toBe('Grüße 🦊'))

  test('detects Windows-1252', () => {
    const german = 'Die Größe der Straße überrascht häufig. Schöne Grüße aus Köln! '.repeat(20)
    expect(decode(Buffer.from(german, 'latin1'))).toBe(german)
  })

  test('detects Shift_JIS', () => {
    const bytes = Buffer.from('82b182f182c982bf82cd90a28a458142'.repeat(30), 'hex')
    expect(decode(bytes)).toBe('こんにちは世界。'.repeat(30))
  })

  test('returns text for bytes invalid in every encoding', () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 167 + 128) % 256))
    expect(decode(bytes).length).toBeGreaterThan(0)
    expect(decode(Buffer.from([0xc3, 0x28, 0xff]))).toContain('(')
  })
})

describe("a JSON file's preview", () => {
  test('is formatted with one member per line', () => {
    expect(render('{"a":[1,{"b":"x, {y}: \\"z\\""}],"c":{},"d":[]}', 'json').text).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "x, {y}: \\"z\\""\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    )
  })

  test('preserves long numbers, duplicate names and their order', () => {
    const { text } = render('{"2":12345678901234567890,"1":1.0,"1":2}', 'json')
    expect(text).toBe('{\n  "2": 12345678901234567890,\n  "1": 1.0,\n  "1": 2\n}')
  })

  test.each([
    ['invalid JSON', '{"a":1,}'],
    ['JSON that exceeds the limit when formatted', JSON.stringify(Array.from({ length: 200_000 }, () => 1))],
    ['JSON nested 100,000 levels deep', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('returns the source for %s', (_, text) => expect(render(text, 'json').text).toBe(text))
})

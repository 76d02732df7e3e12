import { describe, expect, test } from 'vitest'
import { decode } from './encoding.ts'
import type { RenderJob } from './job.ts'
import { renderText } from './text.ts'
import { truncateBytes } from './truncate.ts'

const jobOf = (language: string | null = null, isPartial = false): RenderJob => ({
  format: 'text',
  mimeType: 'text/plain',
  language,
  isPartial,
  textBytesMax: 524_288,
})
const render = (bytes: Uint8Array | string, language: string | null = null) =>
  renderText(Buffer.from(bytes as string), jobOf(language))

describe('text is cut at 524,288 bytes', () => {
  test('and shown whole up to there', () => {
    const { text, truncated } = render('x'.repeat(524_288))
    expect([text.length, truncated]).toEqual([524_288, false])
  })

  test('one more byte is left out', () => {
    const { text, truncated } = render('x'.repeat(524_289))
    expect([text.length, truncated]).toEqual([524_288, true])
  })

  test.each([
    ['é', 2],
    ['€', 3],
    ['🦊', 4],
  ])('never in the middle of %s', (character, size) => {
    for (let shift = 0; shift < size; shift++) {
      const whole = 'x'.repeat(shift) + character.repeat(524_288 / size + 1)
      const { text } = render(whole)
      expect(whole.startsWith(text)).toBe(true)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(524_288)
      expect(Buffer.byteLength(text)).toBeGreaterThan(524_288 - size)
    }
  })

  test('UTF-16 is counted as the UTF-8 it becomes', () => {
    const { text, truncated } = render(Buffer.from(`\uFEFF${'x'.repeat(524_288)}`, 'utf16le'))
    expect([text.length, truncated]).toEqual([524_288, false])
  })

  test('the beginning of a longer file is marked, and a character cut off at its end left out', () => {
    const bytes = Buffer.from('so far €').subarray(0, -1)
    expect(renderText(bytes, jobOf(null, true))).toMatchObject({ text: 'so far ', truncated: true })
  })

  test('a limit of nothing shows nothing', () => expect(truncateBytes('🦊', 3)).toBe(''))
})

describe('text is read in its encoding', () => {
  test.each([
    ['UTF-8', Buffer.from('Grüße 🦊')],
    ['UTF-8 with a mark', Buffer.from('\uFEFFGrüße 🦊')],
    ['UTF-16, low byte first', Buffer.from('\uFEFFGrüße 🦊', 'utf16le')],
    ['UTF-16, high byte first', Buffer.from('\uFEFFGrüße 🦊', 'utf16le').swap16()],
  ])('%s', (_, bytes) => expect(decode(bytes)).toBe('Grüße 🦊'))

  test('Windows-1252', () => {
    const german = 'Die Größe der Straße überrascht häufig. Schöne Grüße aus Köln! '.repeat(20)
    expect(decode(Buffer.from(german, 'latin1'))).toBe(german)
  })

  test('Shift_JIS', () => {
    const bytes = Buffer.from('82b182f182c982bf82cd90a28a458142'.repeat(30), 'hex')
    expect(decode(bytes)).toBe('こんにちは世界。'.repeat(30))
  })

  test('bytes that are no text in any encoding are shown somehow', () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 167 + 128) % 256))
    expect(decode(bytes).length).toBeGreaterThan(0)
    expect(decode(Buffer.from([0xc3, 0x28, 0xff]))).toContain('(')
  })
})

describe('JSON is laid out', () => {
  test('one member per line', () => {
    expect(render('{"a":[1,{"b":"x, {y}: \\"z\\""}],"c":{},"d":[]}', 'json').text).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "x, {y}: \\"z\\""\n    }\n  ],\n  "c": {},\n  "d": []\n}',
    )
  })

  test('with long numbers, repeated names and their order kept', () => {
    const { text } = render('{"2":12345678901234567890,"1":1.0,"1":2}', 'json')
    expect(text).toBe('{\n  "2": 12345678901234567890,\n  "1": 1.0,\n  "1": 2\n}')
  })

  test.each([
    ['what is no JSON', '{"a":1,}'],
    ['what would become too long', JSON.stringify(Array.from({ length: 200_000 }, () => 1))],
    ['what is nested without end', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('but not %s', (_, text) => expect(render(text, 'json').text).toBe(text))
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Id, jsonObject, queryInteger, Timestamp, text } from './fields.ts'

const accepts = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

describe('text with 2 to 5 characters', () => {
  const field = text(2, 5)

  test('is accepted if and only if it has 2 to 5 code points after trimming', () => {
    const character = fc.constantFrom('a', 'é', '你', '🦊', '\u0301', ' ')
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 9 }), (value) => {
        const points = Array.from(value.trim()).length
        expect(accepts(field, value)).toBe(points >= 2 && points <= 5)
      }),
    )
  })

  test('is trimmed and otherwise unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 40 }), (value) => {
        fc.pre(value.trim().length > 0)
        expect(text(1, 1000).parse(`\n ${value}\t`)).toBe(value.trim())
      }),
    )
  })

  test('is refused if it contains NUL or a lone surrogate', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom('\0', '\ud83e', '\udd8a'),
        (before, after, bad) => {
          expect(accepts(text(0, 1000), `${before}x${bad}x${after}`)).toBe(false)
        },
      ),
    )
  })

  test.each([[undefined], [null], [7], [['ab']], [{}]])('%j is refused', (value) => {
    expect(accepts(field, value)).toBe(false)
  })

  test('is not trimmed if `trim` is false, as for passwords', () => {
    expect(text(1, 5, { trim: false }).parse(' a ')).toBe(' a ')
  })
})

describe('a JSON object with at most 100 bytes and 3 levels', () => {
  const field = jsonObject(100, 3)
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

  test('is accepted unchanged if and only if it is within both limits', () => {
    const key = fc.string({ maxLength: 6 }).filter((name) => name !== '__proto__' && !name.includes('\0'))
    const leaf = fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('', 'é', '🦊🦊🦊🦊🦊'),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 4 }), (object) => {
        const fits = Buffer.byteLength(JSON.stringify(object)) <= 100 && depthOf(object) <= 3
        expect(accepts(field, object)).toBe(fits)
        if (fits) expect(field.parse(object)).toEqual(object)
      }),
      { numRuns: 500 },
    )
  })

  test('is refused at any depth without a stack overflow', () => {
    let value: unknown = {}
    for (let level = 0; level < 50_000; level++) value = { value }
    expect(accepts(field, value)).toBe(false)
  })

  test.each([
    ['text', 'text'],
    ['a list', []],
    ['null', null],
    ['NUL in a string', { a: '\0' }],
    ['NUL in a key', { 'a\0': 1 }],
    ['a lone surrogate in a list', { a: [{ b: '\ud800' }] }],
  ])('%s is refused', (_, value) => expect(accepts(field, value)).toBe(false))
})

describe('a query integer from 1 to 100', () => {
  const field = queryInteger(1, 100, 50)

  test('is accepted if and only if it is within the range', () => {
    fc.assert(
      fc.property(fc.integer({ min: -300, max: 300 }), (value) => {
        expect(accepts(field, String(value))).toBe(value >= 1 && value <= 100)
      }),
    )
  })

  test('defaults to 50', () => expect(field.parse(undefined)).toBe(50))

  test.each(['', ' ', 'ten', '1.5', 'NaN', 'Infinity', '1e3', '1_0', '١'])('%j is refused', (value) =>
    expect(accepts(field, value)).toBe(false),
  )
})

test.each([
  ['2026-11-15T02:03:44.202Z', true],
  ['2026-11-15T02:03:44Z', false],
  ['2026-11-15T02:03:44.202+01:00', false],
  ['2026-11-15 02:03:44.202Z', false],
])('the timestamp %s is ISO 8601 UTC with milliseconds: %s', (value, expected) => {
  expect(accepts(Timestamp, value)).toBe(expected)
})

test.each([
  ['01890000-0000-7000-8000-000000000000', true],
  ['01890000-0000-7000-8000-00000000000', false],
  ['01890000000070008000000000000000', false],
  ['nonsense', false],
])('the id %s is a UUID: %s', (value, expected) => expect(accepts(Id, value)).toBe(expected))

describe('an id in upper case', () => {
  test('is converted to lower case', () => {
    expect(Id.parse('0198F3A2-7C1E-7D44-9B1A-2F6C1DE0A111')).toBe('0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111')
  })
})

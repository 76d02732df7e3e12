import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { displayName, toDisplayName } from './display-name.ts'
import { endpointsByName } from './index.ts'

const Name = displayName(1, 120)
const DIRECTION = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069']
const INVISIBLE = ['\u00ad', '\u200b', '\u2060', '\ufeff', '\u3164', '\u180e', '\ufff9', '\u{e0041}']
const CONTROL = ['\n', '\t', '\u0007', '\u001b', '\u0085', '\u2028', '\u2029']
const REFUSED = [...DIRECTION, ...INVISIBLE, ...CONTROL]
const ACCEPTED = [
  'עדה',
  'محمد',
  'می‌خواهم',
  'क्‍ष',
  '葛\u{e0100}城',
  'Ada 👩‍💻',
  '❤️ 👨‍👩‍👧‍👦 🏳️‍🌈',
  'Team 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'O’Neil & Sons, 2026',
]

describe('a display name', () => {
  test.each(REFUSED)('is refused with the character %j, and the error names the rule', (character) => {
    const { error } = Name.safeParse(`Ada${character}ecalevoL`)
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'must not contain control characters, text direction controls or invisible characters',
    ])
  })

  test.each(ACCEPTED)('may be %s', (name) => expect(Name.parse(name)).toBe(name.normalize('NFC')))

  test('is trimmed and composed, and counts the composed characters', () => {
    expect(Name.parse('  Rene\u0301e ')).toBe('Renée')
    expect(displayName(1, 1).safeParse('e\u0301').success).toBe(true)
  })

  test('is refused if all its characters are invisible', () => {
    for (const blank of ['\u200d', '\ufe0f\u200c', '\u00a0\u200d'])
      expect(Name.safeParse(blank).success).toBe(false)
  })
})

test('toDisplayName converts any text to a display name within the given length, or to an empty string', () => {
  const character = fc.constantFrom(...REFUSED, ...'aé \u0301', '🦊', '\ud83e', '\u200d', '🏴󠁧󠁢󠁥󠁮󠁧󠁿')
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 30 }), (raw) => {
      const name = toDisplayName(raw, 10)
      expect(displayName(0, 10).safeParse(name)).toMatchObject({ success: true, data: name })
    }),
  )
  for (const name of ACCEPTED) expect(toDisplayName(name, 120)).toBe(name.normalize('NFC'))
  expect(toDisplayName('Ada\u202e\nLovelace', 120)).toBe('Ada Lovelace')
})

describe('every name a caller sends follows the rule, except file, skill and app names, which are converted', () => {
  const fields = Object.entries(endpointsByName)
    .filter(([name]) => !/^(file(s|Texts)|skills|authorizationServer)\./.test(name))
    .flatMap(([name, { body }]) =>
      fieldsOf(body).map(([field, schema]) => [`${name} ${field}`, schema] as const),
    )
    .filter(([field]) => /([nN]ame|hostname)$/.test(field))

  test.each(fields)('%s', (_, schema) => {
    for (const character of DIRECTION) expect(schema.safeParse(`a${character}b`).success).toBe(false)
    expect(schema.safeParse('e\u0301').data).toBe('é')
  })

  test('the contract has more than twenty such names', () => expect(fields.length).toBeGreaterThan(20))
})

function fieldsOf(body: z.ZodType | undefined): [string, z.ZodType][] {
  if (body instanceof z.ZodOptional) return fieldsOf(body.unwrap() as z.ZodType)
  if (body instanceof z.ZodDiscriminatedUnion || body instanceof z.ZodUnion)
    return body.options.flatMap((option) => fieldsOf(option as z.ZodType))
  return body instanceof z.ZodObject ? Object.entries(body.shape as Record<string, z.ZodType>) : []
}

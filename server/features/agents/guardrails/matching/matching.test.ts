import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PiiKind } from '../../../../../contract/agents/guardrail-options.ts'
import { type FindMatch, findMatches } from './match.ts'
import { findPersonalData } from './personal-data.ts'
import { findPattern, findPhrases } from './phrases.ts'
import { type ActiveRule, screenText, screenValue } from './screen.ts'
import { createTextFilter, HELD_CHARACTERS } from './text-filter.ts'

const matchedTexts = (find: FindMatch, text: string) =>
  [...findMatches(find, text)].map(({ start, end }) => text.slice(start, end))
const noJudge = async () => 'unavailable' as const
const rule = (action: ActiveRule['action'], find: FindMatch, name = 'Rule'): ActiveRule => ({
  id: name,
  name,
  action,
  find,
})

describe('personal data', () => {
  test.each<[PiiKind, string, string[]]>([
    [
      'email',
      'Write to ada.l+x@example.co.uk, or müller@bücher.example.',
      ['ada.l+x@example.co.uk', 'müller@bücher.example'],
    ],
    ['email', 'no @home, a@b, git@', []],
    [
      'phone',
      'Call +44 20 7946 0958 or (555) 867-5309 or 030/901820-11.',
      ['+44 20 7946 0958', '(555) 867-5309', '030/901820-11'],
    ],
    ['phone', 'On 2026-11-16, order 5558675309, version 1.2.3, 192.168.100.200', []],
    ['card', 'Pay with 4111 1111 1111 1111 or 378282246310005.', ['4111 1111 1111 1111', '378282246310005']],
    ['card', 'Not 4111 1111 1111 1112, not 0000000000000000.', []],
    [
      'iban',
      'DE89 3704 0044 0532 0130 00 and gb82west12345698765432',
      ['DE89 3704 0044 0532 0130 00', 'gb82west12345698765432'],
    ],
    ['iban', 'DE89 3704 0044 0532 0130 01', []],
    [
      'national_id',
      '123-45-6789, 529.982.247-25, 12345678Z, AB 12 34 56 C',
      ['123-45-6789', '529.982.247-25', '12345678Z', 'AB 12 34 56 C'],
    ],
    ['national_id', '2 55 08 14 168 025 38', ['2 55 08 14 168 025 38']],
    ['national_id', '000-45-6789, 529.982.247-26, 12345678A, GB123456C', []],
  ])('finds exactly the valid %s in %s', (kind, text, expected) =>
    expect(matchedTexts(findPersonalData([kind]), text)).toEqual(expected),
  )
})

describe('patterns and phrases', () => {
  test('a pattern that is exponential elsewhere takes linear time', () => {
    const find = findPattern('(a+)+$', { ignoreCase: false })
    expect(matchedTexts(find, `${'a'.repeat(100_000)}!`)).toEqual([])
  })

  test.each([
    ['(?=a)', 'is not a valid RE2 pattern'],
    ['(a)\\1', 'is not a valid RE2 pattern'],
    ['[', 'is not a valid RE2 pattern'],
    ['a*', 'must not match an empty text'],
    ['x{900}y{900}z{900}', 'is too large'],
  ])('rejects the pattern %s', (pattern, message) =>
    expect(() => findPattern(pattern, { ignoreCase: false })).toThrow(message),
  )

  test('phrases match whole words in any case, script and spacing', () => {
    const find = findPhrases(['project aurora', 'été', 'C++'])
    expect(matchedTexts(find, 'Project\n Aurora, ÉTÉ, C++; not aurora, projectaurora, étés')).toEqual([
      'Project\n Aurora',
      'ÉTÉ',
      'C++',
    ])
  })
})

describe('chunked text', () => {
  const finders = [
    findPattern('sk-[a-z0-9]{4,12}', { ignoreCase: false }),
    findPattern('ab+a|b', { ignoreCase: true }),
    findPhrases(['secret plan', 'plan']),
    findPersonalData(['email', 'card', 'phone']),
  ]
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'sk-abcd1234',
          'abba',
          'secret plan',
          'plan',
          'a@b.example',
          '4111 1111 1111 1111',
          '+44 20 7946 0958',
          '🙂',
        ),
        fc.string({ maxLength: 150 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(' '))

  test('passes the same text however it is split', () => {
    fc.assert(
      fc.property(
        fc.nat(finders.length - 1),
        text,
        fc.array(fc.nat(700), { maxLength: 20 }),
        (index, whole, cuts) => {
          const filterOf = () =>
            createTextFilter({ find: finders[index]!, action: 'redact', onMatch: () => {} })
          const positions = [...new Set(cuts.map((cut) => Math.min(cut, whole.length)))].toSorted(
            (a, b) => a - b,
          )
          const parts = [0, ...positions].map((at, part) => whole.slice(at, positions[part] ?? whole.length))
          const filter = filterOf()
          const inParts = parts.map((part) => filter.add(part)).join('') + filter.end()
          const once = filterOf()
          expect(inParts).toBe(once.add(whole) + once.end())
          expect(matchedTexts(finders[index]!, inParts)).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })

  test('shows nothing that a blocking rule matches', () => {
    const filter = createTextFilter({ find: finders[0]!, action: 'block', onMatch: () => {} })
    const shown = [...`The key is sk-abcd1234. ${'x'.repeat(2 * HELD_CHARACTERS)}`].map((part) =>
      filter.add(part),
    )
    expect(shown.join('') + filter.end()).toBe('The key is ')
    expect(filter.isBlocked()).toBe(true)
  })
})

describe('whole texts and values', () => {
  const cards = rule('redact', findPersonalData(['card']), 'Cards')
  const plans = rule('block', findPhrases(['secret plan']), 'Plans')
  const emails = rule('flag', findPersonalData(['email']), 'Emails')

  test('applies rules in order, and names the one that blocks', async () => {
    const screened = await screenText([cards, emails], 'a@b.example pays with 4111111111111111', noJudge)
    expect(screened.value).toBe('a@b.example pays with [card redacted]')
    expect(screened.matched.map(({ rule, labels }) => [rule.name, labels])).toEqual([
      ['Cards', { card: 1 }],
      ['Emails', { email: 1 }],
    ])
    expect((await screenText([cards, plans], 'the secret plan', noJudge)).blockedBy?.name).toBe('Plans')
  })

  test('treats only the end of the whole text as its end', async () => {
    const anchored = rule('block', findPattern('(a|aa)+$', { ignoreCase: false }))
    const text = `${'a'.repeat(49_000)}!`
    expect(await screenText([anchored], text, noJudge)).toMatchObject({ value: text, blockedBy: null })
  })

  test('redacts text and numbers at any depth in a value', async () => {
    const value = {
      to: ['x', { note: 'card 4111111111111111', number: 4111111111111111, count: 3 }],
      ok: true,
    }
    const { value: screened, matched } = await screenValue([cards], value, noJudge)
    expect(screened).toEqual({
      to: ['x', { note: 'card [card redacted]', number: '[card redacted]', count: 3 }],
      ok: true,
    })
    expect(matched).toEqual([{ rule: cards, labels: { card: 2 } }])
  })

  test("a rule whose model is unavailable blocks if it's a blocking rule, and flags otherwise", async () => {
    const modelRule = (action: 'block' | 'flag'): ActiveRule => ({
      id: action,
      name: action,
      action,
      model: 'test/echo',
      instructions: 'Anything',
    })
    expect((await screenValue([modelRule('block')], { a: 1 }, noJudge)).blockedBy).not.toBeNull()
    const flagged = await screenValue([modelRule('flag')], { a: 1 }, noJudge)
    expect(flagged).toMatchObject({ blockedBy: null, matched: [{ labels: { 'model unavailable': 1 } }] })
  })

  test('lets other work run while reading a long text', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    const count = () => void turns++
    const immediate = setImmediate(count)
    await screenText([cards], 'word '.repeat(40_000), noJudge)
    clearInterval(timer)
    clearImmediate(immediate)
    expect(turns).toBeGreaterThan(0)
  })
})

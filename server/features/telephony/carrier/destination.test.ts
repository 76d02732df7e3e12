import fc from 'fast-check'
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import { isAllowedDestination, parseDestination } from './destination.ts'

const BERLIN = { e164: '+4930111111' }
const withPrefixes = (...allowedPrefixes: string[]) => ({ allowedPrefixes })

describe('call destination', () => {
  test.each([
    ['+4917012345678', 'DE', false],
    ['+12025550123', 'US', false],
    ['+18765551234', 'JM', false],
    ['+80012345678', null, false],
    ['+499001234567', 'DE', true],
    ['+447012345678', 'GB', true],
    ['+19005551234', 'US', true],
    ['+8816123456', null, true],
    ['+979123456789', null, true],
    ['+999123456789', null, true],
  ])('%s has the country %s; premium: %s', (e164, country, isPremium) => {
    expect(parseDestination(e164)).toEqual({ country, isPremium })
  })

  test("is allowed in the number's country and by the prefixes in its settings", () => {
    expect(isAllowedDestination(BERLIN, withPrefixes(), '+4917012345678')).toBe(true)
    expect(isAllowedDestination(BERLIN, withPrefixes(), '+12025550123')).toBe(false)
    expect(isAllowedDestination(BERLIN, withPrefixes('+1202'), '+12025550123')).toBe(true)
    expect(isAllowedDestination({ e164: '+12025550123' }, withPrefixes(), '+18765551234')).toBe(false)
  })

  test('is allowed as a premium number only if a prefix names its range', () => {
    expect(isAllowedDestination(BERLIN, withPrefixes(), '+499001234567')).toBe(false)
    expect(isAllowedDestination(BERLIN, withPrefixes('+4', '+49', '+499'), '+499001234567')).toBe(false)
    expect(isAllowedDestination(BERLIN, withPrefixes('+49900'), '+499001234567')).toBe(true)
    expect(isAllowedDestination(BERLIN, withPrefixes('+8'), '+8816123456')).toBe(false)
    expect(isAllowedDestination(BERLIN, withPrefixes('+881'), '+8816123456')).toBe(true)
  })

  const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^\\d{${min},${max}}$`))

  test('is not allowed as a premium number with additional digits', () => {
    const premium = fc.constantFrom('+499001234567', '+19005551234', '+449011234567', '+33899123456')
    fc.assert(
      fc.property(premium, digits(0, 3), (number, extraDigits) => {
        const to = (number + extraDigits).slice(0, 16)
        expect(isAllowedDestination({ e164: number }, withPrefixes(), to)).toBe(false)
      }),
    )
  })

  test('is allowed in another country only by a prefix, and more prefixes never allow less', () => {
    const number = fc.constantFrom(
      ...getCountries().flatMap((country) => getExampleNumber(country, examples)?.number ?? []),
    )
    fc.assert(
      fc.property(number, number, number, fc.integer({ min: 2, max: 6 }), (from, to, other, length) => {
        const isAllowed = isAllowedDestination({ e164: from }, withPrefixes(), to)
        if (isAllowed) expect(parseDestination(to).country).toBe(parseDestination(from).country)
        const prefix = other.slice(0, length)
        const isAllowedByPrefix = isAllowedDestination({ e164: from }, withPrefixes(prefix), to)
        if (!to.startsWith(prefix)) expect(isAllowedByPrefix).toBe(isAllowed)
        const prefixes = withPrefixes(prefix, to.slice(0, length))
        if (!parseDestination(to).isPremium)
          expect(isAllowedDestination({ e164: from }, prefixes, to)).toBe(true)
      }),
    )
  })
})

import { describe, expect, test } from 'vitest'
import { dateLocale, formatDate, formatMoment, localizeClock } from './dates.ts'

const now = new Date('2026-11-15T12:00:00Z')
const AT = '2026-11-18T09:00:00Z'
/** Newer versions of ICU put a narrow space before AM. */
const plain = (text: string) => text.replaceAll('\u202f', ' ')

describe('formatMoment', () => {
  test.each([
    ['en-US', 'Wed, Nov 18, 9:00 AM'],
    ['en-GB', 'Wed 18 Nov, 09:00'],
    ['de', 'Mi., 18. Nov., 09:00'],
  ])('follows %s', (locale, text) => {
    expect(plain(formatMoment(AT, { timeZone: 'UTC', now, locale }))).toBe(text)
  })

  test('shows the time in the zone, and the year if it differs', () => {
    const options = { timeZone: 'America/New_York', now, locale: 'en-US' }
    expect(plain(formatMoment(AT, options))).toBe('Wed, Nov 18, 4:00 AM')
    expect(plain(formatMoment('2027-01-01T06:00:00Z', options))).toBe('Fri, Jan 1, 2027, 1:00 AM')
  })
})

test('localizeClock writes times the way the locale does, and changes nothing else', () => {
  const sentence = 'Every weekday at 09:00 and 17:30, ratio 3:2'
  expect(plain(localizeClock(sentence, 'en-US'))).toBe('Every weekday at 9:00 AM and 5:30 PM, ratio 3:2')
  expect(localizeClock(sentence, 'en-GB')).toBe(sentence)
})

test('formatDate shows the year only if it differs', () => {
  expect(formatDate(new Date('2026-11-01T12:00:00'), now, 'en-US')).toBe('Nov 1')
  expect(formatDate(new Date('2025-11-01T12:00:00'), now, 'en-US')).toBe('Nov 1, 2025')
})

test("dateLocale takes the browser's variant of the page's language, and no other language", () => {
  expect(dateLocale('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB')
  expect(dateLocale('en', ['de-DE'])).toBe('en')
  expect(dateLocale('de', ['de-AT', 'en'])).toBe('de-AT')
})

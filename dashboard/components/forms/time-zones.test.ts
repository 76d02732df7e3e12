import { describe, expect, test } from 'vitest'
import { matchTimeZones, zoneOffset } from './time-zones.ts'

const all = ['America/New_York', 'America/St_Johns', 'Asia/Kolkata', 'Europe/Berlin', 'Europe/London', 'UTC']
const first = ['Europe/Berlin', 'UTC']
const AT = new Date('2026-11-18T09:00:00Z')
const match = (search: string) => matchTimeZones(search, { all, first }, AT)

describe('matchTimeZones', () => {
  test('lists the preferred zones first, each once', () => {
    expect(match('')).toEqual([
      'Europe/Berlin',
      'UTC',
      'America/New_York',
      'America/St_Johns',
      'Asia/Kolkata',
      'Europe/London',
    ])
  })

  test.each([
    ['new york', ['America/New_York']],
    ['York', ['America/New_York']],
    ['europe lon', ['Europe/London']],
    ['+1', ['Europe/Berlin']],
    ['gmt+5:30', ['Asia/Kolkata']],
    ['utc-3', ['America/St_Johns']],
    ['atlantis', []],
  ])('finds %s', (search, zones) => expect(match(search)).toEqual(zones))

  test('puts a city that starts with the search before other matches', () => {
    expect(match('l')[0]).toBe('Europe/London')
  })
})

test('zoneOffset is empty for an unknown zone', () => {
  expect([zoneOffset('Europe/Berlin', AT), zoneOffset('Mars/Base', AT)]).toEqual(['GMT+1', ''])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WEEKDAYS } from '../../../../contract/telephony/telephony-options.ts'
import { localTime } from './local-time.ts'
import { matchRule } from './match-rule.ts'
import type { IncomingContact, Match, MatchedRule } from './rule.ts'

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'Africa/Casablanca',
]
const HOUR_MS = 3_600_000

const rule = (match: Partial<Match> = {}, enabled = true): MatchedRule => ({
  enabled,
  match: { channel: 'both', ...match },
})
const call = (fields: Partial<IncomingContact> = {}): IncomingContact => ({
  channel: 'voice',
  numberId: 'n1',
  from: '+4930123456',
  text: null,
  at: new Date('2026-11-16T12:00:00Z'),
  ...fields,
})

/** Which of the rules answers; -1: the default. */
const answeringIndex = (rules: MatchedRule[], incoming: IncomingContact) => {
  const matched = matchRule(rules, incoming)
  return matched.rule === null ? -1 : rules.indexOf(matched.rule)
}
const missOf = (match: Partial<Match>, incoming: Partial<IncomingContact> = {}) =>
  matchRule([rule(match)], call(incoming)).checked[0]!.miss

const offsetAt = (at: number, tz: string) => {
  const { date, time } = localTime(new Date(at), tz)
  return Date.parse(`${date}T${time}:00Z`) - Math.floor(at / 60_000) * 60_000
}

/** The instants at which the clocks of a zone change between two years, to the minute. */
function clockChanges(tz: string, from: number, to: number): number[] {
  const changes: number[] = []
  const step = 24 * HOUR_MS
  for (let at = Date.UTC(from, 0, 1); at < Date.UTC(to, 0, 1); at += step) {
    if (offsetAt(at, tz) === offsetAt(at + step, tz)) continue
    let [low, high] = [at, at + step]
    while (high - low > 60_000) {
      const middle = low + Math.floor((high - low) / 120_000) * 60_000
      if (offsetAt(middle, tz) === offsetAt(at, tz)) low = middle
      else high = middle
    }
    changes.push(high)
  }
  return changes
}

const times = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const zones = fc.constantFrom(...ZONES)
const daySets = fc.subarray([...WEEKDAYS], { minLength: 1 })
const instants = fc
  .integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2040, 0, 1) })
  .map((milliseconds) => new Date(milliseconds))

const anyMatch: fc.Arbitrary<Match> = fc.record(
  {
    channel: fc.constantFrom('voice', 'sms', 'both'),
    numberIds: fc.subarray(['n1', 'n2', 'n3']),
    callerPrefix: fc.constantFrom('+', '+49', '+1'),
    contains: fc.constantFrom('stop', 'Größe'),
    schedule: fc.record(
      { tz: zones, days: daySets, from: times, to: times, holidays: fc.constant(['2026-12-25']) },
      { requiredKeys: ['tz', 'days', 'from', 'to'] },
    ),
  },
  { requiredKeys: ['channel'] },
)
const anyCall: fc.Arbitrary<IncomingContact> = fc.record({
  channel: fc.constantFrom('voice', 'sms'),
  numberId: fc.constantFrom('n1', 'n2', 'n3'),
  from: fc.constantFrom('+4930123456', '+15005550006', 'anonymous', ''),
  text: fc.constantFrom(null, 'please STOP', 'GRÖSSE', 'größe'),
  at: instants,
})

/** Three windows that cover every local minute of every day exactly once. */
const partition = (tz: string, days: (typeof WEEKDAYS)[number][], from: string, to: string) => {
  const others = WEEKDAYS.filter((day) => !days.includes(day))
  const window = { tz, from, to }
  return [
    rule({ schedule: { ...window, days } }),
    ...(others.length > 0 ? [rule({ schedule: { ...window, days: others } })] : []),
    ...(from === to ? [] : [rule({ schedule: { tz, days: [...WEEKDAYS], from: to, to: from } })]),
  ]
}

describe('matching rule', () => {
  test('is exactly one, or the default, for any rules and call', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyMatch, fc.boolean()), { maxLength: 8 }),
        anyCall,
        (matches, incoming) => {
          const rules = matches.map(([match, enabled]) => rule(match, enabled))
          const matched = matchRule(rules, incoming)
          const answers = matched.checked.filter(({ miss }) => miss === null)
          expect(answers.map((each) => each.rule)).toEqual(matched.rule === null ? [] : [matched.rule])
          expect(matched.checked.map((each) => each.rule)).toEqual(rules)
          // The first rule that matches on its own answers; a later rule changes nothing.
          const firstMatch = rules.findIndex((each) => matchRule([each], incoming).rule !== null)
          expect(matched.rule === null ? -1 : rules.indexOf(matched.rule)).toBe(firstMatch)
          const catchAll = rule()
          expect(matchRule([...rules, catchAll], incoming).rule).toBe(matched.rule ?? catchAll)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('is exactly one when windows divide the week, in any zone at any instant', () => {
    fc.assert(
      fc.property(zones, daySets, times, times, instants, (tz, days, from, to, at) => {
        const rules = partition(tz, days, from, to)
        expect(rules.filter((each) => matchRule([each], call({ at })).rule !== null)).toHaveLength(1)
      }),
      { numRuns: 2000 },
    )
  })

  test.each(ZONES)('is exactly one around every clock change in %s', (tz) => {
    const changes = clockChanges(tz, 2010, 2020)
    const hasChanges = tz !== 'Asia/Kolkata'
    expect(changes.length > 0).toBe(hasChanges)
    for (const change of changes)
      for (let minutes = -185; minutes <= 185; minutes += 10) {
        const at = new Date(change + minutes * 60_000)
        const windows = [
          ...partition(tz, ['mon', 'sun'], '22:00', '02:30'),
          ...partition(tz, ['sat'], '00:30', '02:00'),
        ]
        const found = windows.filter((each) => matchRule([each], call({ at })).rule !== null)
        expect(found, at.toISOString()).toHaveLength(2)
      }
  })

  test("follows its zone's clock on both sides of a clock change", () => {
    const schedule = { tz: 'Europe/Berlin', days: ['sun' as const], from: '02:30', to: '04:00' }
    const at = (time: string) => missOf({ schedule }, { at: new Date(time) })
    // 2026-03-29: 02:00 to 03:00 do not exist.
    expect(at('2026-03-29T00:59:00Z')).toBe('time')
    expect(at('2026-03-29T01:00:00Z')).toBe(null)
    expect(at('2026-03-29T02:00:00Z')).toBe('time')
    // 2026-10-25: 02:00 to 03:00 come twice.
    expect(
      ['00:29', '00:30', '01:00', '01:30', '02:59', '03:00'].map((time) => at(`2026-10-25T${time}:00Z`)),
    ).toEqual(['time', null, 'time', null, null, 'time'])
  })

  test('assigns a window over midnight to the day it began, including holidays', () => {
    const schedule = {
      tz: 'UTC',
      days: ['fri' as const],
      from: '22:00',
      to: '06:00',
      holidays: ['2026-12-25'],
    }
    const at = (time: string) => missOf({ schedule }, { at: new Date(`${time}:00Z`) })
    expect(at('2026-12-18T22:00')).toBe(null)
    expect(at('2026-12-19T05:59')).toBe(null)
    expect(at('2026-12-19T06:00')).toBe('time')
    expect(at('2026-12-18T05:00')).toBe('day')
    expect(at('2026-12-25T23:00')).toBe('holiday')
    expect(at('2026-12-26T05:00')).toBe('holiday')
    // Samoa skipped a date: the night of Thursday ended on Saturday.
    const samoa = { tz: 'Pacific/Apia', days: ['thu' as const], from: '22:00', to: '06:00' }
    expect(missOf({ schedule: samoa }, { at: new Date('2011-12-30T11:00:00Z') })).toBe(null)
    // The whole day, on which clocks are set back.
    const whole = { tz: 'America/Havana', days: ['sun' as const], from: '09:00', to: '09:00' }
    const [change] = clockChanges('America/Havana', 2026, 2027).slice(-1)
    const hours = [-2, -0.5, 0.5, 1.5].map((hour) =>
      missOf({ schedule: whole }, { at: new Date(change! + hour * HOUR_MS) }),
    )
    expect(hours).toEqual(['day', null, null, null])
  })

  test('reports why a rule does not match', () => {
    expect(matchRule([rule({}, false)], call()).checked[0]!.miss).toBe('disabled')
    expect(missOf({ numberIds: [] })).toBe('number')
    expect(missOf({ channel: 'sms' })).toBe('channel')
    expect(missOf({ callerPrefix: '+1' })).toBe('caller')
    expect(missOf({ callerPrefix: '+' }, { from: 'anonymous' })).toBe('caller')
    expect(missOf({ contains: 'x' })).toBe('text')
    expect(missOf({ contains: 'STOP' }, { channel: 'sms', text: 'please stop' })).toBe(null)
    expect(matchRule([rule(), rule()], call()).checked.map(({ miss }) => miss)).toEqual([null, 'later'])
    expect(answeringIndex([], call())).toBe(-1)
  })
})

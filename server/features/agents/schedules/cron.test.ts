import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeCron } from '../../../../contract/agents/describe-cron.ts'
import { timesAfter } from './cron.ts'

const DAY_MS = 86_400_000
/** Gaps and repetitions of an hour and of half an hour, at night and at midnight, on both hemispheres. */
const ZONES = [
  ...['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Beirut'],
  ...['Africa/Casablanca', 'Asia/Kathmandu', 'UTC'],
]

const formats = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
)

/** The local time of an instant as an instant of UTC, independently of the code under test. */
function localOf(time: number, zone: string): number {
  const text = formats.get(zone)!.format(time)
  return Date.parse(`${text.replace(' ', 'T')}Z`)
}

/** The instants of a local time: one, two when clocks go back, or none when clocks go forward. */
function instantsOf(local: number, zone: string): number[] {
  const offsets = [-DAY_MS, 0, DAY_MS].map((shift) => localOf(local + shift, zone) - (local + shift))
  return [...new Set(offsets)]
    .map((offset) => local - offset)
    .filter((time) => localOf(time, zone) === local)
    .sort((a, b) => a - b)
}

/**
 * The days around each change of the offset of a zone, as local midnights; without changes, the first days of the year.
 */
function daysAround(zone: string, year: number): number[] {
  const start = Date.UTC(year, 0, 1)
  const offsetAt = (day: number) => localOf(start + day * DAY_MS, zone) - (start + day * DAY_MS)
  const changes = Array.from({ length: 364 }, (_, day) => day + 1).filter(
    (day) => offsetAt(day) !== offsetAt(day - 1),
  )
  return [
    ...new Set((changes.length > 0 ? changes : [3]).flatMap((day) => [day - 2, day - 1, day, day + 1])),
  ].map((day) => start + day * DAY_MS)
}

describe('the times in a cron expression', () => {
  const moment = fc.record({
    zone: fc.constantFrom(...ZONES),
    year: fc.integer({ min: 2025, max: 2035 }),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.constantFrom(0, 5, 15, 29, 30, 45, 59),
  })

  test('occur once every day: at the local time, at the first of two, or after the gap that skips it', () => {
    fc.assert(
      fc.property(moment, ({ zone, year, hour, minute }) => {
        for (const day of daysAround(zone, year)) {
          const local = day + (hour * 60 + minute) * 60_000
          const existing = instantsOf(local, zone)
          const before = (existing[0] ?? local) - DAY_MS / 2
          const timing = { cron: `${minute} ${hour} * * *`, timeZone: zone }
          const [time] = timesAfter(timing, new Date(Math.min(before, local - DAY_MS / 2)), 3)
            .map(Number)
            .filter((each) => localOf(each, zone) >= local)
          if (existing.length > 0) expect(time).toBe(existing[0])
          else {
            // The instant before the run is before the gap, and the run is the first instant after it.
            expect(localOf(time! - 1000, zone)).toBeLessThan(local)
            expect(localOf(time!, zone)).toBeGreaterThan(local)
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  test('keep an hourly or minutely interval when clocks change', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom('*/5', '*/15', '*/30', '0'), ({ zone, year }, minutes) => {
        const distance = minutes === '0' ? 60 : Number(minutes.slice(2))
        for (const day of daysAround(zone, year)) {
          const timing = { cron: `${minutes} * * * *`, timeZone: zone }
          const times = timesAfter(timing, new Date(day), 30).map(Number)
          const gaps = times.slice(1).map((time, index) => (time - times[index]!) / 60_000)
          // A change of the clock by half an hour moves full hours by half an hour.
          expect(
            gaps.every((gap) => gap === distance || (distance === 60 && gap % 30 === 0 && gap <= 90)),
          ).toBe(true)
        }
      }),
      { numRuns: 8 },
    )
  })
})

test.each([
  ['0 9 * * 1-5', 'Every weekday at 09:00'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['5 * * * *', 'Every hour at 5 minutes past'],
  ['0 */6 * * MON', 'Every 6 hours on Monday'],
  ['0 9,17 * * *', 'Every day at 09:00 and 17:00'],
  ['30 8 * * 1,3,5', 'Every Monday, Wednesday and Friday at 08:30'],
  ['0 9 1 * *', 'Monthly on the 1st at 09:00'],
  ['0 18 L * *', 'On the last day of every month at 18:00'],
  ['0 9 1,15 JAN,7 *', 'On day 1 and 15 of every month at 09:00 in January and July'],
  ['0 9 * * 7', 'Every Sunday at 09:00'],
  ['0 9 1-7 * 1', 'On the schedule 0 9 1-7 * 1'],
  ['*/10 9-17 * * *', 'On the schedule */10 9-17 * * *'],
])('describeCron describes %s as "%s"', (cron, text) => expect(describeCron(cron)).toBe(text))

import { WEEKDAYS } from '../../../../contract/telephony/telephony-options.ts'

type Weekday = (typeof WEEKDAYS)[number]

export interface LocalTime {
  /** `2026-11-16`. */
  date: string
  weekday: Weekday
  /** `09:00`. */
  time: string
}

const formats = new Map<string, Intl.DateTimeFormat>()
const FORMATS_MAX = 500

export function localTime(at: Date, tz: string): LocalTime {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatOf(tz).formatToParts(at)) parts[type] = value
  const date = `${parts.year!.padStart(4, '0')}-${parts.month}-${parts.day}`
  return { date, weekday: weekdayOf(date), time: `${parts.hour}:${parts.minute}` }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * The day that ended when this instant's day began. Not always the previous calendar date: zones that crossed the date
 * line skipped one. A day when clocks are set back is longer than its last time shows.
 */
export function dayBefore(at: Date, tz: string): LocalTime {
  const { date, time } = localTime(at, tz)
  let before = at.getTime() - minutesOf(time) * MINUTE_MS - MINUTE_MS
  while (localTime(new Date(before), tz).date === date) before -= HOUR_MS
  return localTime(new Date(before), tz)
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Sunday is 0 in JavaScript. */
const weekdayOf = (date: string): Weekday => WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!

/** Creating a format takes a hundred times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone)
  if (cached) return cached
  if (formats.size >= FORMATS_MAX) formats.clear()
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}

import { Failure } from './failure.ts'

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time, or how long ago it was: `2027-01-31`, `2027-01-31T12:00:00Z`, `90m`, `24h`, `7d`. */
export function parseTime(option: string, text: string): string {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const time = count ? Date.now() - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS] : Date.parse(text)
  if (Number.isNaN(time))
    throw new Failure('usage', `Invalid ${option} ${text}: use a time, or 90m, 24h or 7d`)
  return new Date(time).toISOString()
}

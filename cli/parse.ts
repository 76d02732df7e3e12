import { Failure } from './failure.ts'

/** Undefined if the option is absent. */
export function parseChoice<T extends string>(
  label: string,
  allowed: readonly T[],
  value: string | undefined,
): T | undefined {
  const found = allowed.find((option) => option === value)
  if (value !== undefined && !found)
    throw new Failure('usage', `Invalid ${label} ${value}: use ${allowed.join(', ')}`)
  return found
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Accepts a time or an age: `2027-01-31`, `2027-01-31T12:00:00Z`, `90m`, `24h`, `7d`. */
export function parseTime(option: string, text: string): string {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const time = count ? Date.now() - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS] : Date.parse(text)
  if (Number.isNaN(time))
    throw new Failure('usage', `Invalid ${option} ${text}: use a time, or 90m, 24h or 7d`)
  return new Date(time).toISOString()
}

/** Returns undefined if the text isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** As opposed to a name. */
export const isId = (ref: string): boolean => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(ref)

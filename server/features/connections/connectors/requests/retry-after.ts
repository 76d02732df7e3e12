import type { ConnectorDefinition } from '../definition/definition.ts'

/** Longer delays are capped: some providers send invalid times. */
const DELAY_MAX_MS = 366 * 86_400_000

type Headers = Readonly<Record<string, string>>

/**
 * The waiting time that the provider requests; null if it gives no time. `retry-after` has seconds or a date; other
 * headers are read as the definition states. A time in the past means now.
 */
export function retryAfterMs(
  { retryAfter }: Pick<ConnectorDefinition, 'retryAfter'>,
  headers: Headers,
  now: Date,
): number | null {
  const standard = headers['retry-after']
  const custom = retryAfter && headers[retryAfter.header]
  const ms =
    retryAfter?.header === 'retry-after' || standard === undefined
      ? custom === undefined
        ? null
        : inUnit(custom, retryAfter!.unit, now)
      : secondsOrDate(standard, now)
  return ms === null ? null : Math.min(Math.max(ms, 0), DELAY_MAX_MS)
}

function secondsOrDate(value: string, now: Date): number | null {
  const seconds = numberOf(value)
  if (seconds !== null) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : date - now.getTime()
}

function inUnit(value: string, unit: 'seconds' | 'milliseconds' | 'epoch', now: Date): number | null {
  if (unit === 'seconds') return secondsOrDate(value, now)
  const number = numberOf(value)
  if (number === null) return null
  if (unit === 'milliseconds') return number
  // Some providers count the epoch in milliseconds.
  return (number > 1e11 ? number : number * 1000) - now.getTime()
}

const numberOf = (value: string): number | null =>
  /^\d{1,15}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) : null

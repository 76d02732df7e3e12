import { fieldOf } from './error-fields.ts'

const RETRY_AFTER_MAX_MS = 3_600_000
const SECOND_MS = 1000

/** The waiting time that the provider requests: in a header, or in Google's body. */
export function retryAfterMsOf(chain: unknown[], now = Date.now()): number | null {
  for (const error of chain) {
    const headers = fieldOf(error, 'responseHeaders') as Record<string, string> | undefined
    const waitMs =
      numberOf(headers?.['retry-after-ms']) ??
      headerMs(headers?.['retry-after'], now) ??
      googleDelayMs(fieldOf(error, 'responseBody'))
    if (waitMs !== null) return Math.min(Math.max(waitMs, 0), RETRY_AFTER_MAX_MS)
  }
  return null
}

/** Seconds or a date, per RFC 9110. */
function headerMs(value: string | undefined, now: number): number | null {
  const seconds = numberOf(value)
  if (seconds !== null) return Math.ceil(seconds * SECOND_MS)
  const date = value === undefined ? Number.NaN : Date.parse(value)
  return Number.isNaN(date) ? null : date - now
}

const numberOf = (value: string | undefined): number | null =>
  value !== undefined && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null

/** `"retryDelay": "34.07s"` in the details of the error. */
function googleDelayMs(body: unknown): number | null {
  const delay = typeof body === 'string' ? /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body) : null
  return delay ? Math.ceil(Number(delay[1]) * SECOND_MS) : null
}

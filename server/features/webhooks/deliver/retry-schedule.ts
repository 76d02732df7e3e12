const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
]
const JITTER = 0.2
export const DISABLED_AFTER_MS = 120 * HOUR_MS
/** Consecutive timeouts pause a webhook, unless the outage has only just begun. */
export const PAUSED_AFTER = { timeouts: 20, failingMs: 15 * MINUTE_MS }

/**
 * Null after the last attempt. Honors `retry-after` between the base delay and twice that. Otherwise adds jitter, so
 * deliveries that failed together don't retry together.
 */
export function nextAttempt(
  attempt: number,
  retryAfter: string | undefined,
  now: Date,
  random: () => number = Math.random,
): Date | null {
  const base = RETRY_DELAYS_MS[attempt - 1]
  if (base === undefined) return null
  const requestedMs = retryAfterMs(retryAfter, now)
  const delay =
    requestedMs === null
      ? base * (1 + JITTER * (2 * random() - 1))
      : Math.min(Math.max(requestedMs, base), 2 * base)
  return new Date(now.getTime() + Math.round(delay))
}

function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  if (/^\d+$/.test(header.trim())) return Number(header) * SECOND_MS
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : at - now.getTime()
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** How long to wait before each further attempt. */
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
/** An address that nothing has reached for so long is given up. */
export const GIVEN_UP_AFTER_MS = 120 * HOUR_MS

/**
 * When to try again after `attempt` failed; null if that was the last time. What the other end asks for counts between
 * the usual delay and twice that; otherwise delays differ a little, so that what failed together does not return together.
 */
export function nextAttempt(
  attempt: number,
  retryAfter: string | undefined,
  now: Date,
  random: () => number = Math.random,
): Date | null {
  const base = RETRY_DELAYS_MS[attempt - 1]
  if (base === undefined) return null
  const asked = retryAfterMs(retryAfter, now)
  const delay =
    asked === null ? base * (1 + JITTER * (2 * random() - 1)) : Math.min(Math.max(asked, base), 2 * base)
  return new Date(now.getTime() + Math.round(delay))
}

/** Seconds, or a date. */
function retryAfterMs(given: string | undefined, now: Date): number | null {
  if (given === undefined) return null
  if (/^\d+$/.test(given.trim())) return Number(given) * SECOND_MS
  const at = Date.parse(given)
  return Number.isNaN(at) ? null : at - now.getTime()
}

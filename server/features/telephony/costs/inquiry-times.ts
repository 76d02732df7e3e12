const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Carriers price a call some minutes after its end. */
const FIRST_AFTER_MS = 3 * MINUTE_MS

export const firstInquiry = (now: Date): Date => new Date(now.getTime() + FIRST_AFTER_MS)

/** The time of the next inquiry, with an interval that doubles. Null after a day: the estimate stays. */
export function nextInquiry(createdAt: Date, attempts: number, now: Date): Date | null {
  const next = new Date(now.getTime() + FIRST_AFTER_MS * 2 ** attempts)
  return next.getTime() - createdAt.getTime() > DAY_MS ? null : next
}

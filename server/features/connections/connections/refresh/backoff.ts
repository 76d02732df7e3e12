const FIRST_MS = 30_000
const MAX_MS = 3_600_000

/** 30 seconds after the first failure, then twice as long after each, up to an hour. */
export const backoffOf = (now: Date, failures: number): Date =>
  new Date(now.getTime() + Math.min(FIRST_MS * 2 ** Math.min(failures, 20), MAX_MS))

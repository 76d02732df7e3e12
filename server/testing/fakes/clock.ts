import { onTestFinished } from 'vitest'

/** A clock that the test advances. It starts at the real time, so that it agrees with timestamps of the database. */
export function createClock() {
  let offsetMs = 0
  let frozenAt: number | null = null
  return {
    now: () => new Date((frozenAt ?? Date.now()) + offsetMs),
    advance(seconds: number) {
      offsetMs += seconds * 1000
    },
    /** Stops the clock until the test ends, for tests of limits that refill with time: a slow machine refills them too. */
    freeze() {
      frozenAt = Date.now()
      onTestFinished(() => {
        frozenAt = null
      })
    },
    /** Sets the clock back to the real time. */
    reset() {
      offsetMs = 0
    },
  }
}

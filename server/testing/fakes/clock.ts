import { onTestFinished } from 'vitest'

/** Starts at the real time, to agree with database timestamps. */
export function createClock() {
  let offsetMs = 0
  let frozenAt: number | null = null
  return {
    now: () => new Date((frozenAt ?? Date.now()) + offsetMs),
    advance(seconds: number) {
      offsetMs += seconds * 1000
    },
    /** For limits that refill with time, which a slow machine would refill too. */
    freeze() {
      frozenAt = Date.now()
      onTestFinished(() => {
        frozenAt = null
      })
    },
    reset() {
      offsetMs = 0
    },
  }
}

/** A clock that the test advances. It starts at the real time, so that it agrees with timestamps of the database. */
export function createClock() {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(seconds: number) {
      ahead += seconds * 1000
    },
    /** Sets the clock back to the real time. */
    reset() {
      ahead = 0
    },
  }
}

/** Time that a test moves by hand. It begins at the real time, so that what the database stamps agrees with it. */
export function createClock() {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(seconds: number) {
      ahead += seconds * 1000
    },
  }
}

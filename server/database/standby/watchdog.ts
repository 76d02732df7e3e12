/** Calls `onSilence` if nothing happens within a time. A server that hangs ends no connection, and cancels no statement. */
export function createWatchdog(onSilence: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    within(ms: number): void {
      clearTimeout(timer)
      timer = setTimeout(onSilence, ms)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Calls `onSilence` unless stopped in time: a server that hangs neither ends a connection nor cancels a statement. */
export function createWatchdog(onSilence: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    start(ms: number): void {
      clearTimeout(timer)
      timer = setTimeout(onSilence, ms)
    },
    stop: () => clearTimeout(timer),
  }
}

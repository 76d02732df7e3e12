import { useEffect, useState } from 'react'

const SECOND_MS = 1000

/** Updates every second while `isOn`, for active runs' durations. */
export function useSeconds(isOn: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}

/** Returns the latest text that stayed the same for `delayMs`. */
export function useDebounced(text: string, delayMs: number): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return debounced
}

/** Calls `act` once, `ms` after the first `run`; further calls until then have no effect. */
export function throttled(ms: number, act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    run: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    stop: () => clearTimeout(timer),
  }
}

/** User-facing timeouts. E2e tests extend them: on a loaded machine a test is slower than a user. */
export const TIMEOUTS = { toastMs: 7000, keySequenceMs: 1200 }

import { useEffect, useState } from 'react'

const SECOND_MS = 1000

/** The current time, updated every second while `isOn`, for the durations of active runs. */
export function useSeconds(isOn: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}

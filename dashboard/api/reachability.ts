import { useEffect } from 'react'
import { createStore } from '../state/store.ts'

/** Whether the last request reached the server. */
const reachable = createStore(true)
/** How many live streams on this page wait for a new connection. */
const lostStreams = createStore(0)

export const useReachable = reachable.use

export function setReachable(next: boolean) {
  if (reachable.get() !== next) reachable.set(next)
}

export const useHasLostStream = () => lostStreams.useSelect((count) => count > 0)

/** Reports a lost stream to the frame, which says so once for the whole page. */
export function useReportLostStream(isLost: boolean): void {
  useEffect(() => {
    if (!isLost) return
    lostStreams.set(lostStreams.get() + 1)
    return () => lostStreams.set(lostStreams.get() - 1)
  }, [isLost])
}

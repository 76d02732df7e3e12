import { useEffect } from 'react'
import { createStore } from '../state/store.ts'

const reachable = createStore(true)
const lostStreams = createStore(0)

export const useReachable = reachable.use

export function setReachable(next: boolean) {
  if (reachable.get() !== next) reachable.set(next)
}

export const useHasLostStream = () => lostStreams.useSelect((count) => count > 0)

/** The frame reports it once for the whole page. */
export function useReportLostStream(isLost: boolean): void {
  useEffect(() => {
    if (!isLost) return
    lostStreams.set(lostStreams.get() + 1)
    return () => lostStreams.set(lostStreams.get() - 1)
  }, [isLost])
}

export type FailedPart = 'database' | 'objectStorage'

const outage = createStore<FailedPart | null>(null)

export const useOutage = outage.use

export function recordOutage(reason: string | undefined): void {
  if (reason === 'database_unavailable') outage.set('database')
  if (reason === 'object_storage_unavailable') outage.set('objectStorage')
}

export async function recheckOutage(): Promise<void> {
  const response = await fetch('/readyz').catch(() => null)
  if (!response) return
  const { parts } = (await response.json()) as { parts: Record<FailedPart, 'ready' | 'unavailable'> }
  const failed = (['database', 'objectStorage'] as const).find((part) => parts[part] === 'unavailable')
  if (outage.get() !== (failed ?? null)) outage.set(failed ?? null)
}

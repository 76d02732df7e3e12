import { createStore } from '../state/store.ts'

/** A part of the installation that fails while the server responds. */
export type FailedPart = 'database' | 'objectStorage'

const outage = createStore<FailedPart | null>(null)

export const useOutage = outage.use

/** Records the failed part that the error of a refused request names as its reason. */
export function recordOutage(reason: string | undefined): void {
  if (reason === 'database_unavailable') outage.set('database')
  if (reason === 'object_storage_unavailable') outage.set('objectStorage')
}

/** Asks the server whether all parts work again. */
export async function recheckOutage(): Promise<void> {
  const response = await fetch('/readyz').catch(() => null)
  if (!response) return
  const { parts } = (await response.json()) as { parts: Record<FailedPart, 'ready' | 'unavailable'> }
  const failed = (['database', 'objectStorage'] as const).find((part) => parts[part] === 'unavailable')
  if (outage.get() !== (failed ?? null)) outage.set(failed ?? null)
}

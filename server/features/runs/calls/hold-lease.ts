import { LEASE_MS, LeaseLost } from '../engine/lease.ts'

const RENEW_MS = 1000

interface HeldLease {
  /** Throws `LeaseLost` if another worker has claimed the run. */
  renew: () => Promise<{ isCancelRequested: boolean }>
  deadlineAt: string
  now: () => Date
  everyMs?: number
}

/**
 * Renews the lease of a run while calls run. Aborts them if the run is canceled or out of time, and with `LeaseLost` if another
 * worker has claimed the run, or may have: without the database, a lease cannot be renewed, and ends.
 */
export function holdLease({ renew, deadlineAt, now, everyMs = RENEW_MS }: HeldLease) {
  const abort = new AbortController()
  let isRenewing = false
  let renewedAt = now().getTime()
  const look = async (): Promise<void> => {
    try {
      const { isCancelRequested } = await renew()
      renewedAt = now().getTime()
      if (isCancelRequested) abort.abort()
    } catch (error) {
      const isEnded = now().getTime() - renewedAt >= LEASE_MS
      if (error instanceof LeaseLost || isEnded) abort.abort(new LeaseLost())
    }
    if (now() > new Date(deadlineAt)) abort.abort()
  }
  const timer = setInterval(async () => {
    // A call in a transaction locks the row for as long as it runs.
    if (isRenewing) return
    isRenewing = true
    await look()
    isRenewing = false
  }, everyMs)
  const stop = () => {
    clearInterval(timer)
    abort.abort()
  }
  return { signal: abort.signal, stop }
}

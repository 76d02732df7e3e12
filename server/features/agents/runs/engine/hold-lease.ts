import { LEASE_MS, LeaseLost } from '../state/lease.ts'

const RENEW_MS = 1000

interface LeaseOptions {
  /** Throws `LeaseLost` if another worker has claimed the run. */
  renew: () => Promise<{ isCancelRequested: boolean }>
  deadlineAt: string
  now: () => Date
  everyMs?: number
}

/**
 * Aborts the calls if the run is canceled or out of time, and with `LeaseLost` if another worker has claimed the run,
 * or may have because renewals failed.
 */
export function holdLease({ renew, deadlineAt, now, everyMs = RENEW_MS }: LeaseOptions) {
  const abort = new AbortController()
  let isRenewing = false
  let renewedAt = now().getTime()
  const renewOnce = async (): Promise<void> => {
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
    // A renewal waits while a call's transaction locks the row.
    if (isRenewing) return
    isRenewing = true
    await renewOnce()
    isRenewing = false
  }, everyMs)
  const stop = () => {
    clearInterval(timer)
    abort.abort()
  }
  return { signal: abort.signal, stop }
}

import type { WorkerRuntime } from '../../../../feature.ts'
import { startLeaseLoop } from '../../../../jobs/lease-loop.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { LEASE_MS, watchCall } from './watch-call.ts'
import { claimWatched, type WatchedCall } from './watch-queries.ts'

/** Wakes the processes that watch calls. */
export const WATCH_CHANNEL = 'atrium_voice_calls'
/** An open connection costs little. */
const CONCURRENCY_MAX = 1000
const CLAIM_MAX = 50
const POLL_MS = 1000

/** Watches the calls in progress at OpenAI. */
export const startWatchingCalls = (options: TelephonyOptions, { pool, context, clock, log }: WorkerRuntime) =>
  startLeaseLoop<WatchedCall>({
    name: 'calls at OpenAI',
    pool,
    log,
    clock,
    suspensions: null,
    channel: WATCH_CHANNEL,
    pollMs: POLL_MS,
    concurrency: CONCURRENCY_MAX,
    claimMax: CLAIM_MAX,
    handOverMs: 0,
    keyOf: ({ orgId }) => orgId,
    claim: ({ limit }) => {
      const now = context().now()
      return claimWatched(pool, { limit, now, leasedUntil: new Date(now.getTime() + LEASE_MS) })
    },
    run: (call, { handOver }) => watchCall(options, context(), call, handOver),
  })

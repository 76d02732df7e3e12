import { setTimeout as sleep } from 'node:timers/promises'
import { createSemaphore } from '../../../../concurrency/semaphore.ts'
import { Busy } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import type { ConnectionDependencies } from '../dependencies.ts'
import { claimWriter, releaseWriter } from './call-queries.ts'

const READERS_MAX = 6
/** Longer than one request can take. */
const LEASE_MS = 45_000
const WAIT_MS = 100
const WAITS_MAX = 600
/** How long a call waits for the calls before it in this process: as long as for those of other processes. */
const SLOT_WAIT_MS = WAIT_MS * WAITS_MAX

const permits = Number.MAX_SAFE_INTEGER
const slots = { name: 'calls of this connection', permits, waitMs: SLOT_WAIT_MS }
const readers = createSemaphore({ ...slots, permitsPerKey: READERS_MAX })
const writers = createSemaphore({ ...slots, permitsPerKey: 1 })

/**
 * Runs one request of a connection when it has a slot. Per process, six requests that only read run in parallel.
 * Requests that change something run one at a time across all processes: providers apply concurrent changes in any
 * order.
 */
export function inSlot<T>(
  deps: Pick<ConnectionDependencies, 'sql' | 'now'>,
  orgId: string,
  { connectionId, isRead, signal }: { connectionId: string; isRead: boolean; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const key = `${orgId} ${connectionId}`
  if (isRead) return readers.run(key, work, signal)
  return writers.run(
    key,
    async () => {
      const lease = await waitForLease(deps, orgId, connectionId, signal)
      try {
        return await work()
      } finally {
        await releaseWriter(deps.sql, orgId, connectionId, lease)
      }
    },
    signal,
  )
}

async function waitForLease(
  { sql, now }: Pick<ConnectionDependencies, 'sql' | 'now'>,
  orgId: string,
  connectionId: string,
  signal: AbortSignal,
): Promise<string> {
  const lease = newId()
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    const until = new Date(now().getTime() + LEASE_MS)
    if (await claimWriter(sql, orgId, connectionId, { lease, now: now(), until })) return lease
    await sleep(WAIT_MS, undefined, { signal })
  }
  throw new Busy('UNAVAILABLE', 'Other calls are making changes with this connection: try again in a moment')
}

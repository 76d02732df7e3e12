import { backoffMs, sleep } from '../../../../client/backoff.ts'
import { ApiFailure } from '../../../../client/client.ts'
import { randomId } from '../../../state/random-id.ts'
import { createStore } from '../../../state/store.ts'
import type { WriteResult } from './items.ts'
import type { OptimisticStore, PendingWrite } from './optimistic-store.ts'
import { fitsOneRequest, isEmpty, mergeWrites, prune, type Write } from './write.ts'

const BACKOFF = { firstMs: 1000, maxMs: 20_000 }

export type SaveState = 'saved' | 'saving' | 'waiting'

interface OutboxOptions {
  optimistic: OptimisticStore
  send: (write: Write, idempotencyKey: string) => Promise<WriteResult>
  /** Called after a rejection that suggests stale local state. */
  reload: () => Promise<void>
  onRejected: (rejected: readonly PendingWrite[], error: unknown) => void
  /** Delays a retry. Tests pass a shorter one. */
  wait?: (attempts: number) => Promise<void>
}

interface Batch {
  entries: PendingWrite[]
  write: Write
  /** Reused for every attempt. */
  key: string
}

/**
 * Sends one batch at a time, in order. Writes during a request form the next batch. Retries with backoff while the
 * server is unreachable and reverts rejected changes.
 */
export function createOutbox({ optimistic, send, reload, onRejected, wait = backoff }: OutboxOptions) {
  const saving = createStore<SaveState>('saved')
  let running = false
  let skipWait = () => {}

  async function run() {
    if (running) return
    running = true
    // Batches writes from the same tick.
    await Promise.resolve()
    for (let batch = nextBatch(); batch; batch = nextBatch()) {
      saving.set('saving')
      await sendBatch(batch)
    }
    running = false
    saving.set('saved')
  }

  function nextBatch(): Batch | undefined {
    const [first, ...rest] = optimistic.pending()
    if (!first) return undefined
    const batch: Batch = { entries: [first], write: first.write, key: randomId() }
    for (const entry of rest) {
      const merged = mergeWrites(batch.write, entry.write)
      if (!merged || !fitsOneRequest(merged)) break
      batch.write = merged
      batch.entries.push(entry)
    }
    return batch
  }

  async function sendBatch(batch: Batch) {
    let error: unknown
    for (let attempts = 0; ; attempts++) {
      try {
        return optimistic.confirm(batch.entries, await send(batch.write, batch.key))
      } catch (failure) {
        error = failure
      }
      if (!isRetryable(error)) break
      saving.set('waiting')
      await Promise.race([wait(attempts), new Promise<void>((resolve) => (skipWait = resolve))])
    }
    const isSent = isConflict(error) && (await sendRemaining(batch))
    if (isSent) return
    optimistic.reject(batch.entries)
    onRejected(batch.entries, error)
  }

  /** Sends the rest after another user deleted some items. */
  async function sendRemaining(batch: Batch): Promise<boolean> {
    try {
      await reload()
      const remaining = prune(batch.write, optimistic.base)
      if (isEmpty(remaining)) return false
      optimistic.confirm(batch.entries, await send(remaining, randomId()))
      return true
    } catch {
      return false
    }
  }

  return {
    run: () => void run(),
    saving,
    /** Skips the backoff when the connection is back. */
    retryNow: () => skipWait(),
  }
}

const isRetryable = (error: unknown) =>
  error instanceof ApiFailure && (error.status === 0 || error.status >= 500 || error.status === 429)

const isConflict = (error: unknown) => error instanceof ApiFailure && [400, 404, 409].includes(error.status)

const backoff = (attempts: number) => sleep(backoffMs(attempts, BACKOFF))

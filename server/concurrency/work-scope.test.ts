import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createBatches } from './batches.ts'
import { createCoalescedTask } from './coalesced-task.ts'
import { createSemaphore } from './semaphore.ts'
import { createSingleFlight } from './single-flight.ts'
import {
  detached,
  forClient,
  inTransactionScope,
  refuseInTransaction,
  releaseClient,
  TransactionFault,
} from './work-scope.ts'

const semaphoreOf = (options = {}) =>
  createSemaphore({ name: 'tests', permits: 1, waitMs: 60_000, ...options })

/** A semaphore whose only permit is taken. */
async function fullSemaphore(options = {}) {
  const semaphore = semaphoreOf(options)
  const release = await semaphore.acquire('holder')
  return { ...semaphore, release }
}

describe('a transaction', () => {
  it("can't take a permit, even if one is free", async () => {
    const semaphore = semaphoreOf()
    const inside = (work: () => Promise<unknown>) => inTransactionScope(work)
    await expect(inside(() => semaphore.acquire('a'))).rejects.toThrow(TransactionFault)
    await expect(inside(async () => semaphore.tryAcquire('a'))).rejects.toThrow(TransactionFault)
    await expect(inside(() => semaphore.run('a', async () => 'done'))).rejects.toThrow(TransactionFault)
    expect(semaphore.size()).toEqual({ running: 0, waiting: 0, keys: 0 })
  })

  it('fails with its fault even if the work caught it', async () => {
    const work = inTransactionScope(async () => {
      await sleep(1)
      try {
        refuseInTransaction('another server')
      } catch {
        return 'hidden'
      }
    })
    await expect(work).rejects.toThrow(
      'A transaction must not wait for another server: do it before or after',
    )
  })

  it("can't join work shared with other calls", async () => {
    const once = createSingleFlight<string>({ isFailure: () => false })
    const batches = createBatches<{ bytes: number }, string>({
      ...{ name: 'items', running: 1, items: 1, bytes: 1, waitingItems: 1, waitingBytes: 1, waitMs: 1 },
      run: async () => ['done'],
      isCausedByItem: () => false,
    })
    await expect(inTransactionScope(() => once('a', async () => 'done'))).rejects.toThrow(TransactionFault)
    await expect(inTransactionScope(() => batches.add('a', { bytes: 1 }))).rejects.toThrow(TransactionFault)
  })

  it('may take a permit for tasks that wait for nothing else', async () => {
    const semaphore = semaphoreOf({ isLeaf: true })
    expect(await inTransactionScope(() => semaphore.run('a', async () => 'done'))).toBe('done')
  })

  it('may start work that runs outside it or after it', async () => {
    const semaphore = semaphoreOf({ permits: 3 })
    const { promise: end, resolve: endTransaction } = Promise.withResolvers<void>()
    const take = () => semaphore.acquire('a').then(() => 'taken')
    const scheduled: string[] = []
    const task = createCoalescedTask(
      async () => void scheduled.push(await take()),
      (error) => scheduled.push(String(error)),
    )
    let during: Promise<string> | undefined
    let after: Promise<string> | undefined
    await inTransactionScope(async () => {
      during = detached(take)
      after = end.then(take)
      task.schedule()
      await task.untilIdle()
    })
    endTransaction()
    expect([await during, await after, scheduled]).toEqual(['taken', 'taken', ['taken']])
  })
})

describe('a wait', () => {
  it('ends with UNAVAILABLE after its deadline, and leaves the queue', async () => {
    const { acquire, size } = await fullSemaphore({ waitMs: 5, retryAfterS: 7 })
    await expect(acquire('a')).rejects.toMatchObject({
      name: 'Busy',
      code: 'UNAVAILABLE',
      retryAfterS: 7,
    })
    expect(size()).toMatchObject({ running: 1, waiting: 0 })
  })

  it('ends when the client disconnects, and leaves the queue', async () => {
    const { acquire, size } = await fullSemaphore()
    const client = new AbortController()
    const waiting = forClient(
      () => client.signal,
      () => acquire('a'),
    )
    expect(size().waiting).toBe(1)
    client.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect(size().waiting).toBe(0)
  })

  it('continues without the client, past the usual deadline, once the call has begun a change', async () => {
    const { acquire, release } = await fullSemaphore({ waitMs: 5 })
    const client = new AbortController()
    const call = forClient(
      () => client.signal,
      async () => {
        releaseClient()
        client.abort(new Error('gone'))
        setTimeout(release, 50)
        await acquire('a')
        return 'done'
      },
    )
    expect(await call).toBe('done')
  })

  it("ends with UNAVAILABLE after a batch's deadline", async () => {
    const { promise, resolve } = Promise.withResolvers<string[]>()
    const batches = createBatches<{ bytes: number }, string>({
      ...{ name: 'items', running: 1, items: 1, bytes: 1, waitingItems: 9, waitingBytes: 99, waitMs: 5 },
      run: () => promise,
      isCausedByItem: () => false,
    })
    const first = batches.add('a', { bytes: 1 })
    await expect(batches.add('a', { bytes: 1 })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    resolve(['done'])
    expect(await first).toBe('done')
  })
})

import { AsyncLocalStorage } from 'node:async_hooks'

interface TransactionMark {
  isOpen: boolean
  /** The first forbidden request made inside it. */
  fault: TransactionFault | null
}

interface Client {
  signal: () => AbortSignal
  /** Its call has ended, or has begun something that must not stop halfway. */
  isReleased: boolean
}

interface WorkScope {
  transaction: TransactionMark | null
  client: Client | null
}

const storage = new AsyncLocalStorage<WorkScope>()

/** A defect: a transaction asked for something that may wait for another to end. */
export class TransactionFault extends Error {
  override name = 'TransactionFault'
}

/**
 * Marks `work` as a transaction until it ends. A transaction holds a connection and locks. If it waited for a second
 * connection, a slot or another server, a few dozen would hold everything they wait for.
 *
 * Fails with the first fault even if the work caught it, so a defect is never hidden.
 */
export async function inTransactionScope<T>(work: () => Promise<T>): Promise<T> {
  const mark: TransactionMark = { isOpen: true, fault: null }
  const client = storage.getStore()?.client ?? null
  try {
    const result = await storage.run({ transaction: mark, client }, work)
    if (mark.fault) throw mark.fault
    return result
  } finally {
    mark.isOpen = false
  }
}

/** Throws inside a transaction. `what` completes "A transaction must not wait for …". */
export function refuseInTransaction(what: string): void {
  const mark = storage.getStore()?.transaction
  if (!mark?.isOpen) return
  const fault = new TransactionFault(`A transaction must not wait for ${what}: do it before or after`)
  mark.fault ??= fault
  throw fault
}

/**
 * Until the call opens a transaction or calls another server, it leaves every queue when its client goes away. After
 * that it runs to its end.
 */
export async function forClient<T>(signal: () => AbortSignal, work: () => Promise<T>): Promise<T> {
  const client: Client = { signal, isReleased: false }
  try {
    return await storage.run({ transaction: null, client }, work)
  } finally {
    client.isReleased = true
  }
}

/** Lets the current call finish even if its client has gone. */
export function releaseClient(): void {
  const client = storage.getStore()?.client
  if (client) client.isReleased = true
}

export function clientSignal(): AbortSignal | undefined {
  const client = storage.getStore()?.client
  return client && !client.isReleased ? client.signal() : undefined
}

/** The call has begun something it should finish. */
export const isContinuing = (): boolean => storage.getStore()?.client?.isReleased ?? false

/** For work that is shared or outlives the call: outside its transaction, for no client. */
export const detached = <T>(work: () => T): T => storage.run({ transaction: null, client: null }, work)

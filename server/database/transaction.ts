import { setTimeout as sleep } from 'node:timers/promises'
import { createCoalescedTask } from '../concurrency/coalesced-task.ts'
import { inTransactionScope, releaseClient } from '../concurrency/work-scope.ts'
import type { Pool, Sql } from './database.ts'
import { sharedPool } from './fair-pool.ts'

/** By open transaction. */
const pendingNotifications = new WeakMap<Sql, Notification[]>()
const batchers = new WeakMap<Pool, NotifyBatcher>()
const endListeners = new WeakMap<Sql, ((isCommitted: boolean) => void)[]>()

/**
 * Joins a current transaction. Sends notifications after the commit. Inside, only the transaction's connection may be
 * used: asking for another one, a slot or another server throws.
 */
export async function inTransaction<T>(sql: Sql, work: (inside: Sql) => Promise<T>): Promise<T> {
  if (!isPool(sql)) return work(sql)
  const notifications: Notification[] = []
  const listeners: ((isCommitted: boolean) => void)[] = []
  let isCommitted = false
  try {
    const result = await sql.begin((inside) => {
      pendingNotifications.set(inside, notifications)
      endListeners.set(inside, listeners)
      releaseClient()
      return inTransactionScope(() => work(inside))
    })
    isCommitted = true
    for (const notification of notifications) batcherOf(sharedPool(sql)).add(notification)
    return result as T
  } finally {
    for (const end of listeners) end(isCommitted)
  }
}

/** Called once, on commit or failure. */
export function onTransactionEnd(sql: Sql, end: (isCommitted: boolean) => void): void {
  const listeners = endListeners.get(sql)
  if (!listeners) throw new Error('onTransactionEnd needs a transaction that inTransaction began')
  listeners.push(end)
}

/**
 * In a transaction, sent after the commit, and never on rollback. Otherwise sent now, so call it after the statement
 * that makes the change.
 *
 * PostgreSQL commits transactions that contain a NOTIFY one after the other, each waiting for the disk, so the NOTIFY
 * isn't part of them. The price: a process killed between the commit and the NOTIFY sends nothing, so every subscriber
 * must also poll.
 */
export function notify(sql: Sql, channel: string, payload = ''): void {
  const notification = { channel, payload }
  if (isPool(sql)) {
    batcherOf(sharedPool(sql)).add(notification)
    return
  }
  const notifications = pendingNotifications.get(sql)
  if (!notifications) throw new Error('notify needs a transaction that inTransaction began')
  notifications.push(notification)
}

/** For a stopping process: resolves when nothing is left to send. */
export const flushNotifications = async (pool: Pool): Promise<void> => batchers.get(pool)?.flush()

export const isInTransaction = (sql: Sql): boolean => !isPool(sql)

const isPool = (sql: Sql): sql is Pool => 'begin' in sql

function batcherOf(pool: Pool): NotifyBatcher {
  const existing = batchers.get(pool)
  if (existing) return existing
  const batcher = createNotifyBatcher(
    // Notifications may be lost when the server is killed, so the commit doesn't wait for the disk.
    (batch) => pool`
      select pg_notify(channel, payload), set_config('synchronous_commit', 'off', true)
      from unnest(${batch.map(({ channel }) => channel)}::text[], ${batch.map(({ payload }) => payload)}::text[])
        as batch (channel, payload)`,
  )
  batchers.set(pool, batcher)
  return batcher
}

interface Notification {
  channel: string
  payload: string
}

/** The first notification after a pause is sent immediately, later ones in this interval together. */
const BATCH_INTERVAL_MS = 10

type NotifyBatcher = ReturnType<typeof createNotifyBatcher>

/**
 * Doesn't wait. Among equal notifications in a batch the last is sent, which preserves the order of different messages
 * about one thing. A failed batch is dropped: subscribers also poll, and reread everything after losing their
 * connection.
 */
function createNotifyBatcher(send: (batch: Notification[]) => Promise<unknown>) {
  const pending = new Map<string, Notification>()

  const task = createCoalescedTask(
    async () => {
      const batch = [...pending.values()]
      pending.clear()
      if (batch.length === 0) return
      await send(batch)
      await sleep(BATCH_INTERVAL_MS, undefined, { ref: false })
    },
    () => {},
  )

  return {
    add(notification: Notification): void {
      const key = `${notification.channel} ${notification.payload}`
      pending.delete(key)
      pending.set(key, notification)
      task.schedule()
    },
    flush: task.untilIdle,
  }
}

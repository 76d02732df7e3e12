import { expect } from 'vitest'
import { blockObjectRemoval } from '../backup/object-removal-lock.ts'
import { openCopySession } from '../database/copy.ts'
import type { Pool } from '../database/database.ts'
import type { TestApp } from './test-app.ts'

/** Locks against reads and writes, so requests block mid-statement. */
export async function whileLocked<T>(sql: Pool, table: string, work: () => Promise<T>): Promise<T> {
  const blocker = await sql.reserve()
  try {
    await blocker`begin`
    await blocker`lock table ${blocker(table)}`
    return await work()
  } finally {
    await blocker`rollback`
    blocker.release()
  }
}

export async function waitForBlockedBackends(sql: Pool, count = 1): Promise<number[]> {
  const find = () => sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(find).toHaveLength(count)
  return (await find()).map(({ pid }) => pid)
}

/** Blocks the calls at the table until all have reached it. */
export async function concurrently<T>(sql: Pool, table: string, calls: (() => Promise<T>)[]) {
  const { settled } = await whileLocked(sql, table, async () => {
    const started = Promise.allSettled(calls.map((call) => call()))
    await waitForBlockedBackends(sql, calls.length)
    return { settled: started }
  })
  return settled
}

/** Prevents object removals as a backup does. The returned function ends it, once PostgreSQL has released the lock. */
export async function preventRemovals({ connection, sql }: TestApp): Promise<() => Promise<void>> {
  const name = 'atrium backup'
  const backup = await openCopySession(connection, name)
  await blockObjectRemoval(backup)
  return async () => {
    backup.close()
    const sessions = () =>
      sql`select from pg_stat_activity where datname = current_database() and application_name = ${name}`
    await expect.poll(sessions, { timeout: 30_000, interval: 20 }).toHaveLength(0)
  }
}

import { expect } from 'vitest'
import type { Pool } from '../database/database.ts'

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

import { expect } from 'vitest'
import type { Pool } from '../database/database.ts'

/** Runs `work` while nobody else can read or write this table, so that requests stop in the middle of their work. */
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

/** The database processes that wait for a lock, as soon as there are this many. */
export async function waitingBackends(sql: Pool, count = 1): Promise<number[]> {
  const find = () => sql<{ pid: number }[]>`
    select pid from pg_locks join pg_database d on d.oid = database
    where datname = current_database() and not granted`
  await expect.poll(find, { timeout: 10_000 }).toHaveLength(count)
  return (await find()).map(({ pid }) => pid)
}

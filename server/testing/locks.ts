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

/** The database process that is waiting for a lock, as soon as there is one. */
export async function waitingBackend(sql: Pool): Promise<number> {
  let pid: number | undefined
  const find = async () => {
    const [lock] = await sql<{ pid: number }[]>`
      select pid from pg_locks join pg_database on oid = database where datname = current_database() and not granted`
    pid = lock?.pid
    return pid
  }
  await expect.poll(find, { timeout: 10_000 }).toBeDefined()
  return pid!
}

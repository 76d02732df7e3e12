import { inTransactionScope } from '../concurrency/work-scope.ts'
import type { Connection } from '../database/connection.ts'
import { openDatabase } from '../database/database.ts'
import { markStandbyRead, NeedsPrimary, type StandbyReads } from '../database/standby/standby.ts'

const LIMITS = {
  connections: 4,
  connectionsPerOrg: 4,
  statementTimeoutMs: 15_000,
  idleTimeoutS: null,
  waitMs: 60_000,
}

/** Read-only like a standby, so a list's tests fail if it writes or locks. */
export function openReadOnlyReads(connection: Connection): StandbyReads & { close: () => Promise<void> } {
  const pool = openDatabase(connection, 'test reads', LIMITS)
  return {
    run: async <T>(_key: string, work: Parameters<StandbyReads['run']>[1]) => {
      try {
        const value = await pool.begin(async (sql) => {
          await sql`set transaction read only`
          markStandbyRead(sql)
          return inTransactionScope(() => work(sql))
        })
        return { value: value as T }
      } catch (error) {
        if (error instanceof NeedsPrimary) return null
        throw error
      }
    },
    close: () => pool.end({ timeout: 1 }),
  }
}

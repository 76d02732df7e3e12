import type { Logger } from 'pino'
import type { Sql } from '../database/database.ts'
import { isDatabaseFull } from '../database/pg-errors.ts'
import { inTransaction } from '../database/transaction.ts'

const RECHECK_MS = 5000
/** More than the free space a table's pages may have left. */
const PROBE_KB = 512

/**
 * PostgreSQL reports a full disk only through failing statements. Small updates may still succeed, so only a write that
 * needs new space shows recovery.
 */
export function watchDatabaseSpace(sql: Sql, log: Logger) {
  let isFull = false
  let timer: NodeJS.Timeout | undefined

  const recheck = async () => {
    try {
      await writeProbe(sql)
      isFull = false
      log.info('the database can write again')
    } catch (err) {
      log.warn({ err }, 'the database still cannot write')
      schedule()
    }
  }
  const schedule = () => {
    timer = setTimeout(() => void recheck(), RECHECK_MS)
    timer.unref()
  }

  return {
    isFull: () => isFull,
    /** Ignores any error but a full disk. */
    report: (error: unknown): void => {
      if (isFull || !isDatabaseFull(error)) return
      isFull = true
      log.error({ err: error }, 'the database disk is full')
      schedule()
    },
    close: () => clearTimeout(timer),
  }
}

/** PostgreSQL extends the table's file at once and removes it when the transaction ends. */
const writeProbe = (sql: Sql) =>
  inTransaction(sql, async (inside) => {
    await inside`create temporary table atrium_space_probe (content text storage plain) on commit drop`
    await inside`
      insert into atrium_space_probe select repeat('x', 1000) from generate_series(1, ${PROBE_KB}::int)`
  })

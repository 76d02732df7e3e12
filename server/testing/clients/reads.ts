import { expect } from 'vitest'
import type { Pool, Sql } from '../../database/database.ts'
import { inTransaction } from '../../database/transaction.ts'

/** In the sixth run PostgreSQL may switch to a generic plan, so the next one is counted. */
const RUNS = 7
const SMALL_BYTES = 65_536

export interface Reads {
  scans: number
  rows: number
}

type Statement = (sql: Sql) => Promise<unknown>

/** Ignores scans of small tables and partitions, where they're the best plan. */
export async function countReads(pool: Pool, tables: string[], run: Statement): Promise<Reads> {
  return inTransaction(pool, async (sql) => {
    const readCounts = async () => {
      const [row] = await sql<Reads[]>`
        select (sum(seq_scan) filter (where pg_relation_size(relid) > ${SMALL_BYTES}))::int as scans, sum(seq_tup_read + idx_tup_fetch)::int as rows
        from pg_stat_xact_user_tables where relid = any(array(
          select t.relid from unnest(${tables}::text[]::regclass[]) name, pg_partition_tree(name) t union all
          select unnest(${tables}::text[]::regclass[])))`
      return row!
    }
    for (let n = 1; n < RUNS; n++) await run(sql)
    const before = await readCounts()
    await run(sql)
    const after = await readCounts()
    return { scans: after.scans - before.scans, rows: after.rows - before.rows }
  })
}

export async function expectFewReads(
  pool: Pool,
  tables: string[],
  rowsMax: number,
  run: Statement,
): Promise<void> {
  const { scans, rows } = await countReads(pool, tables, run)
  expect(scans).toBe(0)
  expect(rows).toBeLessThanOrEqual(rowsMax)
}

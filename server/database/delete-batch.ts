import type { Fragment, Sql } from './database.ts'

/**
 * `rows` is what follows `from`, with the rows as `t`. `unlocked` skips rows another transaction is changing. Not for
 * partitioned tables: a ctid is unique only within one partition.
 */
export const inBatch = (sql: Sql, rows: Fragment, limit: number, which?: 'unlocked'): Fragment =>
  sql`ctid = any(array(
    select t.ctid from ${rows} limit ${limit} ${which === 'unlocked' ? sql`for update of t skip locked` : sql``}))`

/** Runs the statements until one changes rows. Returns how many. */
export async function firstBatch(
  statements: readonly (() => Promise<{ readonly count: number }>)[],
): Promise<number> {
  for (const run of statements) {
    const { count } = await run()
    if (count > 0) return count
  }
  return 0
}

/** Repeats a statement until it changes less than a full batch. */
export async function inBatches(
  batch: number,
  run: () => Promise<{ readonly count: number }>,
): Promise<void> {
  while ((await run()).count === batch);
}

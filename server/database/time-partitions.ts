import type { Fragment, Sql } from './database.ts'
import { isCheckViolation, isLockRefused } from './pg-errors.ts'
import { inTransaction } from './transaction.ts'

const DAY_MS = 86_400_000
/** The epoch's first Monday was its fifth day. Workers may be stopped for `ahead` periods without effect. */
const WEEKS = { ms: 7 * DAY_MS, offsetMs: 4 * DAY_MS, ahead: 2 }
const DAYS = { ms: DAY_MS, offsetMs: 0, ahead: 4 }

/** Partitioned by ids, which begin with their time (`migrations/0079_partitions.sql`). */
const PARTITIONED = { events: WEEKS, deliveries: WEEKS, delivery_attempts: WEEKS, run_events: DAYS }
export type PartitionedTable = keyof typeof PARTITIONED
const TABLES = Object.keys(PARTITIONED) as PartitionedTable[]

/** Other statements wait meanwhile. The job's next run retries. */
const LOCK_TIMEOUT = '1s'
/** Beyond this, a partition isn't dropped: other statements would wait while the rows move. */
const KEPT_MAX = 10_000

export interface TimePartition {
  table: PartitionedTable
  name: string
  /** Null: rows from before there were partitions. */
  from: Date | null
  to: Date
}

/** Oldest first, without default partitions (`events_default`). */
export async function listTimePartitions(sql: Sql, ...tables: PartitionedTable[]): Promise<TimePartition[]> {
  const rows = await sql<{ table: PartitionedTable; name: string; bound: string }[]>`
    select p.relname as table, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class p join pg_inherits i on i.inhparent = p.oid join pg_class c on c.oid = i.inhrelid
    where p.oid = any(${tables}::text[]::regclass[])`
  return rows
    .flatMap(({ table, name, bound }) => {
      const [, from, to] = /FROM \((.*)\) TO \((.*)\)/.exec(bound) ?? []
      if (!from || !to) return []
      return [{ table, name, from: from === 'MINVALUE' ? null : timeOf(from), to: timeOf(to) }]
    })
    .toSorted((left, right) => left.to.getTime() - right.to.getTime())
}

const timeOf = (quotedId: string) =>
  new Date(Number.parseInt(quotedId.replaceAll(/['-]/g, '').slice(0, 12), 16))

/**
 * If the default partition already has rows in a range, because no worker ran in time, that range gets no partition.
 */
export async function addTimePartitions(sql: Sql, now: Date): Promise<void> {
  const existing = await listTimePartitions(sql, ...TABLES)
  for (const table of TABLES) {
    const { ms, offsetMs, ahead } = PARTITIONED[table]
    const current = Math.floor((now.getTime() - offsetMs) / ms) * ms + offsetMs
    const last = existing.findLast((partition) => partition.table === table)?.to.getTime() ?? 0
    for (let from = Math.max(last, current); from <= current + ahead * ms; from += ms)
      await addPartition(sql, table, new Date(from), new Date(from + ms))
  }
}

const addPartition = (sql: Sql, table: string, from: Date, to: Date): Promise<unknown> =>
  withLocks(
    sql,
    (inside) =>
      inside`select add_time_partition(${table}::regclass, ${from}::timestamptz, ${to}::timestamptz)`,
  ).catch((error) => {
    if (!isCheckViolation(error)) throw error
  })

interface Retirement {
  keptRows: (sql: Sql) => Fragment
  /** Runs in the transaction, before the drop. The table `kept_rows` has the rows to keep. */
  beforeDrop?: (sql: Sql) => Promise<unknown>
}

/**
 * Rows to keep move to the default partition. Changes nothing if there are too many (`many`), or if other statements
 * use the table for too long (`busy`). Until the drop, the partition's rows can be read but not changed.
 */
export const retirePartition = (
  sql: Sql,
  { table, name }: TimePartition,
  { keptRows, beforeDrop }: Retirement,
): Promise<'dropped' | 'many' | 'busy'> =>
  withLocks(sql, async (inside) => {
    await inside`lock table ${inside(name)} in share row exclusive mode`
    await inside`create temporary table kept_rows (like ${inside(table)}) on commit drop`
    const { count } = await inside`
      insert into kept_rows select * from (${keptRows(inside)}) kept limit ${KEPT_MAX + 1}`
    if (count > KEPT_MAX) {
      await inside`drop table kept_rows`
      return 'many'
    }
    await beforeDrop?.(inside)
    await inside`drop table ${inside(name)}`
    await inside`insert into ${inside(table)} select * from kept_rows`
    return 'dropped'
  })

async function withLocks<T>(sql: Sql, work: (inside: Sql) => Promise<T>): Promise<T | 'busy'> {
  try {
    return await inTransaction(sql, async (inside) => {
      await inside`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
      return work(inside)
    })
  } catch (error) {
    if (isLockRefused(error)) return 'busy'
    throw error
  }
}

/** Ids are UUIDv7, which begin with their creation time, so the primary key finds a period's ids. */
export function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}

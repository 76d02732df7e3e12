import { detached } from '../concurrency/work-scope.ts'
import type { Pool, Sql } from '../database/database.ts'
import { type Amounts, foldUsage, METERED, type MeteredQuota, readMeter } from './usage-queries.ts'

/** Older readings are refreshed in the background on next use. */
const FRESH_MS = 5000
/** Older readings make uses wait. */
const STALE_MS = 30_000
/** Counters with more rows are folded into one row. */
const ROWS_MAX = 200
const READ_ATTEMPTS = 3
const ENTRIES_MAX = 10_000

type Usage = Record<MeteredQuota, number>

interface Entry {
  /** -Infinity without a reading. */
  readAt: number
  used: Usage
  overrides: Record<string, number>
  /** By this process's open calls. */
  reserved: Usage
  /** By this process since the reading began. */
  written: Usage
  /** Usage since each unfinished reading began. */
  pending: Set<Usage>
  isRefreshing: boolean
}

export interface Meter {
  used: (quota: MeteredQuota) => number
  /** At the last reading. */
  committed: Record<MeteredQuota, number>
  overrides: Record<string, number>
}

/** A check needs no statement. Counts this process's calls immediately, others' after five seconds. */
export function createMeters(pool: Pool, onError: (error: unknown) => void, clock = () => performance.now()) {
  const entries = new Map<string, Entry>()

  function entryOf(orgId: string): Entry {
    const existing = entries.get(orgId)
    if (existing) return existing
    if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value!)
    const entry: Entry = {
      readAt: -Infinity,
      used: zero(),
      overrides: {},
      reserved: zero(),
      written: zero(),
      pending: new Set(),
      isRefreshing: false,
    }
    entries.set(orgId, entry)
    return entry
  }

  async function read(sql: Sql, orgId: string): Promise<Entry> {
    const entry = entryOf(orgId)
    const startedAt = clock()
    const written = zero()
    entry.pending.add(written)
    try {
      const { used, overrides, rows } = await readMeter(sql, orgId)
      if (startedAt > entry.readAt) Object.assign(entry, { readAt: startedAt, used, overrides, written })
      if (rows > ROWS_MAX) detached(() => foldUsage(pool, orgId)).catch(onError)
      return entry
    } finally {
      entry.pending.delete(written)
    }
  }

  /** A call that ended meanwhile may count twice. */
  async function readExactly(sql: Sql, orgId: string): Promise<Entry> {
    let entry = await read(sql, orgId)
    for (let attempt = 1; attempt < READ_ATTEMPTS && !isZero(entry.written); attempt++)
      entry = await read(sql, orgId)
    return entry
  }

  async function readCached(sql: Sql, orgId: string): Promise<Entry> {
    const entry = entryOf(orgId)
    const age = clock() - entry.readAt
    if (age > STALE_MS) return read(sql, orgId)
    if (age > FRESH_MS && !entry.isRefreshing) {
      entry.isRefreshing = true
      detached(() => read(pool, orgId))
        .catch(onError)
        .finally(() => {
          entry.isRefreshing = false
        })
    }
    return entry
  }

  return {
    readCached: async (sql: Sql, orgId: string) => meterOf(await readCached(sql, orgId)),
    readFresh: async (sql: Sql, orgId: string) => meterOf(await readExactly(sql, orgId)),
    /** Until the returned function is called with whether they were written. */
    reserve(orgId: string, amounts: Amounts): (isWritten: boolean) => void {
      const entry = entryOf(orgId)
      add(entry.reserved, amounts, 1)
      return (isWritten) => {
        add(entry.reserved, amounts, -1)
        if (isWritten) for (const written of [entry.written, ...entry.pending]) add(written, amounts, 1)
      }
    },
    forget(orgId: string): void {
      entryOf(orgId).readAt = -Infinity
    },
  }
}

const meterOf = ({ used, written, reserved, overrides }: Entry): Meter => ({
  used: (quota) => used[quota] + written[quota] + reserved[quota],
  committed: used,
  overrides,
})

const zero = () => Object.fromEntries(METERED.map((quota) => [quota, 0])) as Usage

const isZero = (amounts: Usage) => METERED.every((quota) => amounts[quota] === 0)

function add(to: Usage, amounts: Amounts, sign: 1 | -1): void {
  for (const quota of METERED) to[quota] += sign * (amounts[quota] ?? 0)
}

import { detached } from '../concurrency/work-scope.ts'
import type { Pool, Sql } from '../database/database.ts'
import { type Amounts, foldUsage, METERED, type MeteredQuota, readMeter } from './usage-queries.ts'

/** How long a reading serves before the next use reads again in the background. */
const FRESH_MS = 5000
/** A use waits for a new reading if the last one is older than this. */
const STALE_MS = 30_000
/** A counter with more rows than this is folded into one row. */
const ROWS_MAX = 1000
const READ_ATTEMPTS = 3
/** Organizations whose reading is in memory. */
const ENTRIES_MAX = 10_000

type Usage = Record<MeteredQuota, number>

interface Entry {
  /** When the reading began; -Infinity without one. */
  readAt: number
  used: Usage
  overrides: Record<string, number>
  /** Reserved by calls of this process that have not ended. */
  reserved: Usage
  /** Written by calls of this process since the reading began. */
  written: Usage
  /** The usage since the start of each reading that has not ended. */
  pending: Set<Usage>
  isRefreshing: boolean
}

export interface Meter {
  /** Includes the calls of this process that have not ended. */
  used: (quota: MeteredQuota) => number
  /** The usage at the last reading. */
  committed: Record<MeteredQuota, number>
  overrides: Record<string, number>
}

/**
 * The usage of each organization, cached in this process so that a check needs no statement of its own. The count
 * includes the calls of this process immediately, and those of other processes after five seconds.
 */
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

  /** A call that ended during a reading may count twice, so the reading is repeated then. */
  async function readExactly(sql: Sql, orgId: string): Promise<Entry> {
    let entry = await read(sql, orgId)
    for (let attempt = 1; attempt < READ_ATTEMPTS && !isZero(entry.written); attempt++)
      entry = await read(sql, orgId)
    return entry
  }

  /** Returns the last reading without waiting, unless it is too old. */
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
    /** Reads the committed usage on this connection. */
    readFresh: async (sql: Sql, orgId: string) => meterOf(await readExactly(sql, orgId)),
    /** Adds amounts until the returned function is called; its argument is whether they were written. */
    reserve(orgId: string, amounts: Amounts): (isWritten: boolean) => void {
      const entry = entryOf(orgId)
      add(entry.reserved, amounts, 1)
      return (isWritten) => {
        add(entry.reserved, amounts, -1)
        if (isWritten) for (const written of [entry.written, ...entry.pending]) add(written, amounts, 1)
      }
    },
    /** Discards the reading: the next use waits for a new one. */
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

import { QUOTA_NAMES, QUOTAS, type QuotaName } from '../../contract/quotas.ts'
import type { Pool, Sql } from '../database/database.ts'
import { onTransactionEnd } from '../database/transaction.ts'
import { ApiError } from '../errors.ts'
import { createMeters, type Meter } from './meter.ts'
import {
  type Amounts,
  type CountedQuota,
  countAll,
  countUsed,
  lockQuota,
  METERED,
  secondsOfDayLeft,
} from './usage-queries.ts'

/**
 * A count misses other transactions' uncommitted rows. Each creates one record and needs a connection, so there are
 * fewer than this.
 */
const CONCURRENT_MAX = 500

type QuotaLimits = Record<QuotaName, number>

export interface QuotaState {
  name: QuotaName
  used: number
  allowed: number
  default: number
  isDefault: boolean
}

type Reservation =
  | { exceeded: ExceededQuota; end?: undefined }
  /** Call `end` with whether the amounts were written. */
  | { exceeded: null; end: (isWritten: boolean) => void }

export type Quotas = ReturnType<typeof createQuotas>

/** Rereads usage before refusing. */
export function createQuotas(pool: Pool, defaults: QuotaLimits, onError: (error: unknown) => void) {
  const meters = createMeters(pool, onError)
  const openStreams = new Map<string, number>()

  const allowedOf = ({ overrides }: Pick<Meter, 'overrides'>, quota: QuotaName) =>
    overrides[quota] ?? defaults[quota]

  function exceededBy(meter: Meter, amounts: Amounts): ExceededQuota | null {
    for (const quota of METERED) {
      const amount = amounts[quota] ?? 0
      const [used, allowed] = [meter.used(quota), allowedOf(meter, quota)]
      // A call ending now may count twice.
      const reported = Math.min(used, Math.max(allowed, meter.committed[quota]))
      if (amount > 0 && used + amount > allowed) return { quota, used: reported, allowed }
    }
    return null
  }

  /** In one step, so concurrent calls can't jointly exceed a quota. */
  async function tryReserve(sql: Sql, orgId: string, amounts: Amounts): Promise<Reservation> {
    if (!exceededBy(await meters.readCached(sql, orgId), amounts))
      return { end: meters.reserve(orgId, amounts), exceeded: null }
    const exceeded = exceededBy(await meters.readFresh(sql, orgId), amounts)
    return exceeded ? { exceeded } : { end: meters.reserve(orgId, amounts), exceeded }
  }

  return {
    /** For amounts this transaction is about to write. */
    async reserve(sql: Sql, orgId: string, amounts: Amounts): Promise<void> {
      const reservation = await tryReserve(sql, orgId, amounts)
      if (reservation.exceeded) throw quotaExceeded(reservation.exceeded)
      onTransactionEnd(sql, reservation.end)
    },

    /** For writes without a transaction. */
    async within<T>(
      sql: Sql,
      orgId: string,
      amounts: Amounts,
      work: () => Promise<T>,
    ): Promise<{ result: T } | { exceeded: ExceededQuota }> {
      const { exceeded, end } = await tryReserve(sql, orgId, amounts)
      if (exceeded) return { exceeded }
      let isWritten = false
      try {
        const result = await work()
        isWritten = true
        return { result }
      } finally {
        end(isWritten)
      }
    },

    /** Uncounted: the work is checked again when it writes. */
    async check(sql: Sql, orgId: string, amounts: Amounts): Promise<void> {
      const { exceeded, end } = await tryReserve(sql, orgId, amounts)
      if (exceeded) throw quotaExceeded(exceeded)
      end(false)
    },

    /** Call after creating a record. Near the limit, serializes creations until the transaction ends. */
    async requireWithin(sql: Sql, orgId: string, quota: CountedQuota, now: Date): Promise<void> {
      const count = async () => {
        const { used, override } = await countUsed(sql, orgId, quota, now)
        return { used, allowed: override ?? defaults[quota] }
      }
      const first = await count()
      if (first.used + CONCURRENT_MAX <= first.allowed) return
      // Counts after the lock, so it sees what the previous holder committed.
      const [, { used, allowed }] = await Promise.all([lockQuota(sql, orgId, quota), count()])
      if (used <= allowed) return
      const exceeded = { quota, used: used - 1, allowed }
      throw quota === 'payments'
        ? quotaExceededForNow(exceeded, secondsOfDayLeft(now))
        : quotaExceeded(exceeded)
    },

    async openStream(orgId: string): Promise<(() => void) | ExceededQuota> {
      const used = () => openStreams.get(orgId) ?? 0
      let allowed = allowedOf(await meters.readCached(pool, orgId), 'streams')
      if (used() >= allowed) allowed = allowedOf(await meters.readFresh(pool, orgId), 'streams')
      if (used() >= allowed) return { quota: 'streams', used: used(), allowed }
      openStreams.set(orgId, used() + 1)
      return () => {
        if (used() <= 1) openStreams.delete(orgId)
        else openStreams.set(orgId, used() - 1)
      }
    },

    async list(sql: Sql, orgId: string, now: Date): Promise<QuotaState[]> {
      const [meter, counted] = await Promise.all([meters.readFresh(sql, orgId), countAll(sql, orgId, now)])
      const metered = Object.fromEntries(METERED.map((quota) => [quota, meter.used(quota)]))
      const used = { ...counted, ...metered, streams: openStreams.get(orgId) ?? 0 } as QuotaLimits
      return QUOTA_NAMES.map((name) => ({
        name,
        used: used[name],
        allowed: allowedOf(meter, name),
        default: defaults[name],
        isDefault: meter.overrides[name] === undefined,
      }))
    },

    limitsOf: (overrides: Record<string, number>): QuotaLimits =>
      Object.fromEntries(QUOTA_NAMES.map((name) => [name, allowedOf({ overrides }, name)])) as QuotaLimits,

    /** Call when an organization's limits change. */
    forget: (orgId: string) => meters.forget(orgId),
  }
}

interface ExceededQuota {
  quota: QuotaName
  used: number
  allowed: number
}

/** FORBIDDEN: retrying won't help until something is removed or the limit is raised. */
export const quotaExceeded = (exceeded: ExceededQuota): ApiError =>
  new ApiError('FORBIDDEN', messageOf(exceeded), { details: { reason: 'quota_exceeded', ...exceeded } })

/** RATE_LIMITED: usage falls by itself, so the caller may retry later. */
export const quotaExceededForNow = (exceeded: ExceededQuota, retrySeconds: number): ApiError =>
  new ApiError('RATE_LIMITED', messageOf(exceeded), {
    details: { reason: 'quota_exceeded', ...exceeded },
    headers: { 'retry-after': String(retrySeconds) },
  })

/** What members can do before an operator raises the limit. */
const REMEDIES: Partial<Record<QuotaName, string>> = {
  files: 'Purge files in the trash. ',
  storage: 'Purge files in the trash. ',
  memories: 'Delete memories that are no longer needed, or decide on proposed ones. ',
  connections: 'Revoke connections that are no longer used. ',
  blocks: 'Delete blocks that are no longer needed, or purge deleted projects. ',
  tableRows: 'Delete rows that are no longer needed, or purge deleted projects. ',
  tableBytes: 'Delete rows that are no longer needed, or purge deleted projects. ',
  payments: 'The count resets at midnight UTC. ',
  history: 'Prune canvas histories, or purge deleted projects. ',
}

function messageOf({ quota, used, allowed }: ExceededQuota): string {
  const { label, unit } = QUOTAS[quota]
  const amount = (value: number) => `${value.toLocaleString('en-US')}${unit === 'bytes' ? ' bytes' : ''}`
  return `The organization has reached its quota "${quota}" (${label.toLowerCase()}): ${amount(used)} of ${amount(allowed)} used. ${REMEDIES[quota] ?? ''}This server’s operator can raise it`
}

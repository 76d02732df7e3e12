import type { Logger } from 'pino'
import type { Pool } from '../database/database.ts'
import { organizationSuspended, unavailableToGuests } from './organization-suspended.ts'
import { readSuspensions, type Suspension } from './suspension-queries.ts'

/** Sent in the transaction of a change, with the id of the organization. */
export const SUSPENSIONS_CHANNEL = 'atrium_suspensions'

/** Polls in case a NOTIFY was lost. */
const POLL_MS = 1000

export type Suspensions = ReturnType<typeof createSuspensions>

/**
 * The organizations that are suspended, cached in this process, so that no call and no claim of a worker needs a
 * statement for it. A change reaches every process by NOTIFY, and after a second at the latest. `listenPool` is the
 * pool on whose connection the streams of the process also listen.
 */
export function createSuspensions(pool: Pool, listenPool: Pick<Pool, 'listen'>, log: Logger) {
  let current: ReadonlyMap<string, Suspension> = new Map()
  const listeners = new Set<(orgId: string) => void>()
  let reads = 0
  let appliedRead = 0
  let stopListening = () => {}
  let poll: NodeJS.Timeout | undefined

  /** Discards the result of a read that a later read has overtaken. */
  async function refresh(): Promise<void> {
    const read = ++reads
    const rows = await readSuspensions(pool)
    if (read < appliedRead) return
    appliedRead = read
    const before = current
    current = new Map(rows.map((row) => [row.orgId, row]))
    for (const orgId of current.keys())
      if (!before.has(orgId)) for (const listener of listeners) listener(orgId)
  }

  const refreshInBackground = () =>
    void refresh().catch((err: unknown) => log.warn({ err }, 'could not read the suspended organizations'))

  return {
    /** Resolves when the suspended organizations are read: the process serves no request before that. */
    async start(): Promise<void> {
      const subscription = await listenPool.listen(
        SUSPENSIONS_CHANNEL,
        refreshInBackground,
        refreshInBackground,
      )
      stopListening = subscription.unlisten
      await refresh()
      poll = setInterval(refreshInBackground, POLL_MS).unref()
    },
    async stop(): Promise<void> {
      clearInterval(poll)
      stopListening()
    },
    /** Reads the committed suspensions. */
    refresh,
    find: (orgId: string): Suspension | null => current.get(orgId) ?? null,
    list: (): string[] => [...current.keys()],
    /** Throws if the organization is suspended. */
    requireActive(orgId: string): void {
      const suspension = current.get(orgId)
      if (suspension) throw organizationSuspended(suspension)
    },
    /** Refuses guests who open a link of a suspended organization, and have no credential yet. */
    requireOpenToGuests(orgId: string): void {
      const suspension = current.get(orgId)
      if (suspension) throw unavailableToGuests(suspension)
    },
    /** Calls `listener` with every organization that becomes suspended from now on. */
    onSuspended(listener: (orgId: string) => void): void {
      listeners.add(listener)
    },
  }
}

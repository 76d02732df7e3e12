import type { Logger } from 'pino'
import type { Pool, Sql } from '../database/database.ts'
import { ApiError } from '../errors.ts'

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

/** Senders of webhooks repeat an event after a 503. */
const RETRY_AFTER_S = 3600

type ReportedSuspension = Pick<Suspension, 'kind' | 'reason' | 'since' | 'eraseAfter'>

/** For members, their keys and apps. */
export const organizationSuspended = (suspension: ReportedSuspension): ApiError =>
  new ApiError('FORBIDDEN', messageOf(suspension), { details: detailsOf(suspension) })

/** For guests, to whom the reason is not shown. */
export const unavailableToGuests = (suspension: ReportedSuspension): ApiError =>
  new ApiError('FORBIDDEN', 'The organization of this link is suspended', {
    details: { reason: 'organization_suspended', since: suspension.since },
  })

/** For external senders, whom the response asks to send the event again later. */
export const unavailableToSenders = (): ApiError =>
  new ApiError('UNAVAILABLE', 'The receiving organization is suspended: send the request again later', {
    details: { reason: 'organization_suspended' },
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  })

const detailsOf = ({ kind, since, eraseAfter }: ReportedSuspension) => ({
  reason: 'organization_suspended',
  since,
  ...(kind === 'erasure' && { eraseAfter }),
})

const messageOf = ({ kind, reason }: ReportedSuspension) =>
  kind === 'erasure'
    ? 'This organization is scheduled for erasure. An owner can cancel the erasure in the dashboard'
    : `This organization is suspended: ${reason.replace(/[.\s]+$/, '')}. Ask the operator of this server`

interface Suspension {
  orgId: string
  kind: 'operator' | 'erasure'
  reason: string
  since: string
  /** The time at which the organization is erased; null without an erasure. */
  eraseAfter: string | null
}

/** Suspensions by operators come first: an organization that is to be erased can be suspended as well. */
const readSuspensions = (sql: Sql) => sql<Suspension[]>`
  select distinct on (s.org_id) s.org_id as "orgId", s.kind, s.reason, s.suspended_at as since, (
      select e.erase_after from erasures e
      where e.subject_id = s.org_id and e.status in ('scheduled', 'running')) as "eraseAfter"
  from suspensions s order by s.org_id, s.kind desc`

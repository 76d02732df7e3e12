import type { Logger } from 'pino'
import type { Pool, Sql } from '../database/database.ts'
import { ApiError } from '../errors.ts'

/** Sent in the change's transaction, with the organization id. */
export const SUSPENSIONS_CHANNEL = 'atrium_suspensions'

/** In case a NOTIFY was lost. */
const POLL_MS = 1000

export type Suspensions = ReturnType<typeof createSuspensions>

/**
 * No call or worker claim needs a statement. Changes arrive by NOTIFY, within a second at the latest. The process's
 * streams also listen on `listenPool`.
 */
export function createSuspensions(pool: Pool, listenPool: Pick<Pool, 'listen'>, log: Logger) {
  let current: ReadonlyMap<string, Suspension> = new Map()
  const listeners = new Set<(orgId: string) => void>()
  let reads = 0
  let appliedRead = 0
  let stopListening = () => {}
  let poll: NodeJS.Timeout | undefined

  /** Discards results overtaken by a later read. */
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
    /** The process serves no request before this resolves. */
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
    refresh,
    find: (orgId: string): Suspension | null => current.get(orgId) ?? null,
    list: (): string[] => [...current.keys()],
    requireActive(orgId: string): void {
      const suspension = current.get(orgId)
      if (suspension) throw organizationSuspended(suspension)
    },
    requireOpenToGuests(orgId: string): void {
      const suspension = current.get(orgId)
      if (suspension) throw unavailableToGuests(suspension)
    },
    onSuspended(listener: (orgId: string) => void): void {
      listeners.add(listener)
    },
  }
}

/** Webhook senders retry after a 503. */
const RETRY_AFTER_S = 3600

type ReportedSuspension = Pick<Suspension, 'kind' | 'reason' | 'since' | 'eraseAfter'>

export const organizationSuspended = (suspension: ReportedSuspension): ApiError =>
  new ApiError('FORBIDDEN', messageOf(suspension), { details: detailsOf(suspension) })

/** Guests don't see the reason. */
export const unavailableToGuests = (suspension: ReportedSuspension): ApiError =>
  new ApiError('FORBIDDEN', 'This link’s organization is suspended', {
    details: { reason: 'organization_suspended', since: suspension.since },
  })

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
    : `This organization is suspended: ${reason.replace(/[.\s]+$/, '')}. Ask this server’s operator`

interface Suspension {
  orgId: string
  kind: 'operator' | 'erasure'
  reason: string
  since: string
  eraseAfter: string | null
}

/** Operator suspensions first: an organization awaiting erasure can be suspended too. */
const readSuspensions = (sql: Sql) => sql<Suspension[]>`
  select distinct on (s.org_id) s.org_id as "orgId", s.kind, s.reason, s.suspended_at as since, (
      select e.erase_after from erasures e
      where e.subject_id = s.org_id and e.status in ('scheduled', 'running')) as "eraseAfter"
  from suspensions s order by s.org_id, s.kind desc`

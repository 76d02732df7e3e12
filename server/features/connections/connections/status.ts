import type { ConnectionStatus } from '../../../../contract/connections/connector-options.ts'
import type { PublishedEventType } from '../../../../contract/webhooks/event-types.ts'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { publishIn } from '../../../events/publish.ts'
import { addJob } from '../../../jobs/job.ts'
import { connectionBroken, connectionChanged, connectionRecovered } from './jobs.ts'
import type { Account } from './queries.ts'

/** Takes effect once per token generation. */
export const markBroken = (sql: Sql, orgId: string, broken: BrokenConnection): Promise<boolean> =>
  inTransaction(sql, async (inside) => {
    const changed = await updateBroken(inside, orgId, broken)
    if (!changed) return false
    const { id, status, now } = broken
    // The dialog shows the failure.
    if (status !== 'expired' || changed.before === 'pending') return true
    await publishIn(inside, orgId, now, connectionEvent('connection.expired', id, changed.slug))
    await inside`select ${addJob(inside, connectionBroken, { orgId, id, at: now.toISOString() })}`
    return true
  })

/** Returns false if revoked or changed since. */
export const markWorking = (sql: Sql, orgId: string, working: WorkingConnection): Promise<boolean> =>
  inTransaction(sql, async (inside) => {
    const changed = await updateWorking(inside, orgId, working)
    if (!changed) return false
    const { id, now } = working
    const type =
      changed.before === 'expired' || changed.before === 'error'
        ? 'connection.recovered'
        : changed.before === 'active'
          ? null
          : 'connection.established'
    if (type) await publishIn(inside, orgId, now, connectionEvent(type, id, changed.slug))
    if (type === 'connection.recovered')
      await inside`
        select ${addJob(inside, connectionChanged, { orgId, id })}, ${addJob(inside, connectionRecovered, { orgId, id })}`
    return true
  })

export const connectionEvent = (
  type: Extract<PublishedEventType, `connection.${string}`>,
  connectionId: string,
  connectorSlug: string,
) => ({ type, data: { connectionId, connectorSlug } })

interface BrokenConnection {
  id: string
  /** The refused tokens. Newer ones aren't affected. */
  generation: number
  status: 'expired' | 'error'
  reason: string
  /** Null if the owner must act. */
  retryAt: Date | null
  now: Date
}

/** Returns null if it already had this status or has other tokens by now. */
async function updateBroken(
  sql: Sql,
  orgId: string,
  { id, generation, status, reason, retryAt, now }: BrokenConnection,
) {
  const [row] = await sql<{ slug: string; before: ConnectionStatus }[]>`
    update connections c set status = ${status}, status_reason = ${reason}, refresh_due_at = ${retryAt},
      refreshing_until = null, pending_until = null, version = c.version + 1, updated_at = ${now}
    from (
      select org_id, id, status as before from connections
      where org_id = ${orgId} and id = ${id} and generation = ${generation} and deleted_at is null
        and status <> ${status} and status <> 'revoked'
      for update
    ) b
    where c.org_id = b.org_id and c.id = b.id
    returning c.connector_slug as slug, b.before`
  return row ?? null
}

interface WorkingConnection {
  id: string
  generation: number
  account: Account
  kept: Record<string, string>
  now: Date
}

/** Returns null if revoked or has other tokens by now. */
async function updateWorking(
  sql: Sql,
  orgId: string,
  { id, generation, account, kept, now }: WorkingConnection,
) {
  const [row] = await sql<{ slug: string; before: ConnectionStatus }[]>`
    update connections c set status = 'active', status_reason = null, account = ${sql.json(account as never)},
      kept = ${sql.json(kept)}, pending_until = null, refresh_failures = 0,
      version = c.version + 1, updated_at = ${now}
    from (
      select org_id, id, status as before from connections
      where org_id = ${orgId} and id = ${id} and generation = ${generation} and deleted_at is null for update
    ) b
    where c.org_id = b.org_id and c.id = b.id
    returning c.connector_slug as slug, b.before`
  return row ?? null
}

const FAILED_MS = 86_400_000

/** Fails lapsed pending connections, deletes them a day later, and deletes unneeded tokens. */
export async function sweepConnections({ sql, now }: JobContext): Promise<void> {
  const at = now()
  await lapsePending(sql, at)
  await deleteFailed(sql, new Date(at.getTime() - FAILED_MS))
  await deletePreviousTokens(sql, at)
}

const lapsePending = (sql: Sql, now: Date) => sql`
  update connections set status = 'failed', status_reason = 'It was not completed within 30 minutes',
    version = version + 1, updated_at = ${now}
  where status = 'pending' and pending_until <= ${now}`

const deleteFailed = (sql: Sql, before: Date) => sql`
  delete from connections where status = 'failed' and pending_until < ${before}`

const deletePreviousTokens = (sql: Sql, now: Date) => sql`
  update connection_secrets set previous_sealed = null, previous_until = null where previous_until <= ${now}`

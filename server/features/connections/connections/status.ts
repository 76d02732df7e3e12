import type { PublishedEventType } from '../../../../contract/webhooks/event-types.ts'
import type { Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { publishIn } from '../../../events/publish.ts'
import { addJob } from '../../../jobs/job.ts'
import { connectionBroken, connectionChanged } from './jobs.ts'
import {
  type BrokenConnection,
  updateBroken,
  updateWorking,
  type WorkingConnection,
} from './status-queries.ts'

/** Stores that a connection does not work, once: later reports about the same tokens change nothing. */
export const markBroken = (sql: Sql, orgId: string, broken: BrokenConnection): Promise<boolean> =>
  inTransaction(sql, async (inside) => {
    const changed = await updateBroken(inside, orgId, broken)
    if (!changed) return false
    const { id, status, now } = broken
    // The person who creates a connection sees in the dialog that it does not work.
    if (status !== 'expired' || changed.before === 'pending') return true
    await publishIn(inside, orgId, now, eventOf('connection.expired', id, changed.slug))
    await inside`select ${addJob(inside, connectionBroken, { orgId, id, at: now.toISOString() })}`
    return true
  })

/** Stores that the provider accepts the credentials of a connection. False if it was revoked or changed since. */
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
    if (type) await publishIn(inside, orgId, now, eventOf(type, id, changed.slug))
    if (type === 'connection.recovered')
      await inside`select ${addJob(inside, connectionChanged, { orgId, id })}`
    return true
  })

export const eventOf = (
  type: Extract<PublishedEventType, `connection.${string}`>,
  connectionId: string,
  connectorSlug: string,
) => ({ type, data: { connectionId, connectorSlug } })

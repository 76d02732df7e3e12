import type { ConnectionStatus } from '../../../../contract/connections/connector-options.ts'
import type { Sql } from '../../../database/database.ts'
import type { Account } from './queries.ts'

export interface BrokenConnection {
  id: string
  /** The tokens that the provider refused: newer ones are not affected. */
  generation: number
  status: 'expired' | 'error'
  reason: string
  /** When the connection is tried again; null: a person has to act. */
  retryAt: Date | null
  now: Date
}

/** Returns the connection as it was before; null if it already had this status, or has other tokens by now. */
export async function updateBroken(
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

export interface WorkingConnection {
  id: string
  generation: number
  account: Account
  kept: Record<string, string>
  now: Date
}

/** Returns the status before; null if the connection was revoked or has other tokens by now. */
export async function updateWorking(
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

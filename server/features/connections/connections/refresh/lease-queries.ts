import type { Sql } from '../../../../database/database.ts'
import { claimFairly, type OrganizationClaim, type Queue } from '../../../../jobs/claim-fairly.ts'

/** A refresh takes at most 20 seconds. */
export const LEASE_MS = 60_000

export interface LeasedConnection {
  orgId: string
  id: string
  generation: number
}

export const REFRESH_QUEUE: Queue = {
  table: 'connections',
  key: ['id'],
  due: 'refresh_due_at',
  indexedBy: 'due',
}

export const claimDue = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<LeasedConnection>(sql, REFRESH_QUEUE, claim, {
    where: sql`t.deleted_at is null and (t.refreshing_until is null or t.refreshing_until < ${claim.now})`,
    lease: sql`refreshing_until = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.id, t.generation`,
  })

/** Returns false if the tokens changed, or another process is refreshing them. */
export async function claimRefresh(
  sql: Sql,
  orgId: string,
  { id, generation }: Omit<LeasedConnection, 'orgId'>,
  now: Date,
): Promise<boolean> {
  const { count } = await sql`
    update connections set refreshing_until = ${leaseEnd(now)}
    where org_id = ${orgId} and id = ${id} and generation = ${generation} and deleted_at is null
      and (refreshing_until is null or refreshing_until < ${now})`
  return count === 1
}

const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS)

/** Newer tokens have already ended the lease. */
export const releaseRefresh = (
  sql: Sql,
  orgId: string,
  { id, generation }: Omit<LeasedConnection, 'orgId'>,
  { dueAt, failures }: { dueAt: Date | null; failures: number },
) => sql`
  update connections set refreshing_until = null, refresh_due_at = ${dueAt}, refresh_failures = ${failures}
  where org_id = ${orgId} and id = ${id} and generation = ${generation} and deleted_at is null`

export interface RefreshedTokens {
  sealed: string
  scopes: string[] | null
  kept: Record<string, string>
  expiresAt: Date | null
  refreshDueAt: Date | null
  previousUntil: Date
  now: Date
}

/** Returns false if no longer current. */
export async function storeRefreshed(
  sql: Sql,
  orgId: string,
  { id, generation }: Omit<LeasedConnection, 'orgId'>,
  tokens: RefreshedTokens,
): Promise<boolean> {
  const { sealed, scopes, kept, expiresAt, refreshDueAt, previousUntil, now } = tokens
  const rows = await sql`
    with changed as (
      update connections set generation = generation + 1, expires_at = ${expiresAt}, refresh_due_at = ${refreshDueAt},
        refresh_failures = 0, refreshing_until = null, last_refresh_at = ${now}, updated_at = ${now},
        scopes = coalesce(${scopes}, scopes), kept = kept || ${sql.json(kept)}
      where org_id = ${orgId} and id = ${id} and generation = ${generation} and deleted_at is null
      returning org_id, id
    )
    update connection_secrets s set sealed = ${sealed}, previous_sealed = s.sealed, previous_until = ${previousUntil}
    from changed c where s.org_id = c.org_id and s.connection_id = c.id
    returning s.connection_id`
  return rows.length === 1
}

/** Tried once: reading deletes them. */
export async function takePrevious(
  sql: Sql,
  orgId: string,
  { id, generation }: Omit<LeasedConnection, 'orgId'>,
  now: Date,
): Promise<string | null> {
  const [row] = await sql<{ sealed: string | null }[]>`
    update connection_secrets s set previous_sealed = null, previous_until = null
    from (
      select p.org_id, p.connection_id, p.previous_sealed as sealed from connection_secrets p
      join connections c on c.org_id = p.org_id and c.id = p.connection_id and c.generation = ${generation}
      where p.org_id = ${orgId} and p.connection_id = ${id} and p.previous_until > ${now}
    ) p
    where s.org_id = p.org_id and s.connection_id = p.connection_id returning p.sealed`
  return row?.sealed ?? null
}

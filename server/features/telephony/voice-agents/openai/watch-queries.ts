import type { Fragment, Sql } from '../../../../database/database.ts'
import { claimFairly, type OrganizationClaim } from '../../../../jobs/claim-fairly.ts'
import { DUE_CALLS } from '../../calls/queries.ts'

export const WATCH_CHANNEL = 'atrium_voice_calls'

export interface WatchedCall {
  orgId: string
  id: string
  providerId: string
}

const isWatched = (sql: Sql): Fragment =>
  sql`t.provider = 'openai' and t.ended_at is null and t.provider_id is not null`

export const claimWatched = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<WatchedCall>(sql, DUE_CALLS, claim, {
    where: isWatched(sql),
    lease: sql`due_at = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.id, t.provider_id as "providerId"`,
  })

/** Null stops watching. False if the call has ended. */
export async function updateWatched(
  sql: Sql,
  orgId: string,
  id: string,
  dueAt: Date | null,
): Promise<boolean> {
  const { count } = await sql`
    update calls set due_at = ${dueAt} where org_id = ${orgId} and id = ${id} and ended_at is null`
  return count === 1
}

export const stopWatching = (sql: Sql, orgId: string, id: string) =>
  sql`update calls set due_at = null where org_id = ${orgId} and id = ${id}`

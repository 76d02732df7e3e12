import type { Sql } from '../../../../database/database.ts'

/** Wakes the processes that watch calls. */
export const WATCH_CHANNEL = 'atrium_voice_calls'

export interface WatchedCall {
  orgId: string
  id: string
  providerId: string
}

interface Claim {
  limit: number
  now: Date
  leasedUntil: Date
}

/** Claims the calls of all organizations that no process watches. */
export const claimWatched = (sql: Sql, { limit, now, leasedUntil }: Claim) => sql<WatchedCall[]>`
  with due as (
    select org_id, id from calls
    where due_at <= ${now} and provider = 'openai' and ended_at is null and provider_id is not null
    order by due_at limit ${limit} for no key update skip locked
  )
  update calls c set due_at = ${leasedUntil} from due
  where c.org_id = due.org_id and c.id = due.id
  returning c.org_id as "orgId", c.id, c.provider_id as "providerId"`

/** Stores when the call is watched again; null if it is not. False if the call has ended. */
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

/** Stops watching a call that has ended. */
export const stopWatching = (sql: Sql, orgId: string, id: string) =>
  sql`update calls set due_at = null where org_id = ${orgId} and id = ${id}`

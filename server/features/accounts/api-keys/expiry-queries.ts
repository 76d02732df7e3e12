import type { Sql } from '../../../database/database.ts'

export interface ExpiringKey {
  orgId: string
  id: string
  name: string
  prefix: string
  lastFour: string
  expiresAt: string
  userId: string
  email: string
  isVerified: boolean
}

/** Marks the next expiring key whose owner has not been notified. Concurrent workers get different keys. */
export async function lockExpiringKey(sql: Sql, now: Date, until: Date): Promise<ExpiringKey | null> {
  const [row] = await sql<ExpiringKey[]>`
    with next as (
      select org_id, id from api_keys
      where expires_at > ${now} and expires_at <= ${until} and revoked_at is null and expiry_notified_at is null
      order by expires_at limit 1 for update skip locked
    ), marked as (
      update api_keys k set expiry_notified_at = ${now} from next
      where k.org_id = next.org_id and k.id = next.id
      returning k.*
    )
    select k.org_id as "orgId", k.id, k.name, k.prefix, k.last_four as "lastFour", k.expires_at as "expiresAt",
      k.user_id as "userId", u.email, u.email_verified_at is not null as "isVerified"
    from marked k join users u on u.id = k.user_id`
  return row ?? null
}

/** Revokes the keys that expired before this time. */
export const updateLongExpired = (sql: Sql, before: Date, now: Date) => sql<
  { orgId: string; userId: string; id: string; name: string }[]
>`
  update api_keys set revoked_at = ${now}
  where expires_at < ${before} and expires_at is not null and revoked_at is null
  returning org_id as "orgId", user_id as "userId", id, name`

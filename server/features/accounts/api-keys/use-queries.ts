import type { Sql } from '../../../database/database.ts'

/** The use of a key since the last write. */
export interface KeyUse {
  orgId: string
  id: string
  /** Such as `2027-01-31`, in UTC. */
  day: string
  calls: number
  /** Null if the last use was stored less than a minute ago. */
  lastUsed: { at: Date; address: string } | null
}

/**
 * Adds the uses of keys of several organizations in one statement. Rows are written in the order of their ids, so that
 * two processes never wait for each other. A key that was deleted in between is left out.
 */
export const addKeyUses = (sql: Sql, uses: readonly KeyUse[]) => sql`
  with used as (
    select u."orgId", u.id, u.day, u.calls, u."lastUsed" ->> 'address' as address, (u."lastUsed" ->> 'at')::timestamptz as at
    from jsonb_to_recordset(${sql.json(uses as never)})
      as u ("orgId" uuid, id uuid, day date, calls int, "lastUsed" jsonb)
  ), existing as (
    select k.org_id, k.id from api_keys k join used u on u."orgId" = k.org_id and u.id = k.id
    group by k.org_id, k.id
  ), counted as (
    insert into api_key_days as d (org_id, key_id, day, calls)
    select u."orgId", u.id, u.day, u.calls from used u join existing e on e.org_id = u."orgId" and e.id = u.id
    order by u."orgId", u.id, u.day
    on conflict (org_id, key_id, day) do update set calls = d.calls + excluded.calls
  )
  update api_keys k set last_used_at = u.at, last_used_address = u.address
  from used u where u.at is not null and k.org_id = u."orgId" and k.id = u.id
    and (k.last_used_at is null or k.last_used_at < u.at)`

/** Deletes the counts of days that no list shows any more. */
export const deleteDailyCounts = (sql: Sql, before: Date) =>
  sql`delete from api_key_days where day < (${before}::timestamptz at time zone 'UTC')::date`

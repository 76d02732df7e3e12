import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { Sql } from '../../../database/database.ts'
import { inOrder } from '../../../database/in-order.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'

export interface KeyRow {
  id: string
  name: string
  prefix: string
  lastFour: string
  scopes: string[]
  readOnly: boolean
  expiresAt: string | null
  lastUsedAt: string | null
  lastUsedAddress: string | null
  /** By day, such as `2027-01-31`. Days without calls are absent. */
  days: Record<string, number>
  createdAt: string
}

export interface KeyCaller {
  id: string
  userId: string
  orgId: string
  workspaceId: string | null
  role: Role
  operator: boolean
  scopes: string[]
  readOnly: boolean
  expiresAt: string | null
  lastUsedAt: string | null
}

/** Indexed lookups from keys to callers, in the order of `hashes`. Not cached, so revocation is immediate. */
export async function findCallers(sql: Sql, hashes: Buffer[]): Promise<(KeyCaller | null)[]> {
  const rows = await sql<(KeyCaller & { place: number })[]>`
    select k.id, k.user_id as "userId", k.org_id as "orgId", m.default_workspace_id as "workspaceId", m.role,
      u.is_operator as operator, k.scopes, k.read_only as "readOnly", k.expires_at as "expiresAt",
      k.last_used_at as "lastUsedAt", array_position(${hashes}::bytea[], k.hash) as place
    from api_keys k
    join memberships m on m.org_id = k.org_id and m.user_id = k.user_id
    join users u on u.id = k.user_id
    where k.hash = any(${hashes}::bytea[]) and k.revoked_at is null`
  return inOrder(rows, hashes.length)
}

const columns = (sql: Sql, since: Date) => sql`
  k.id, k.name, k.prefix, k.last_four as "lastFour", k.scopes, k.read_only as "readOnly", k.expires_at as "expiresAt",
  k.last_used_at as "lastUsedAt", k.last_used_address as "lastUsedAddress", k.created_at as "createdAt", coalesce((
    select jsonb_object_agg(d.day, d.calls) from api_key_days d
    where d.org_id = k.org_id and d.key_id = k.id and d.day >= (${since}::timestamptz at time zone 'UTC')::date
  ), '{}') as days`

/** Includes calls since the day of `since`. */
export async function listKeys(sql: Sql, orgId: string, userId: string, since: Date) {
  return sql<KeyRow[]>`
    select ${columns(sql, since)} from api_keys k
    where k.org_id = ${orgId} and k.user_id = ${userId} and k.revoked_at is null
    order by k.id desc`
}

export interface NewKey {
  id: string
  name: string
  prefix: string
  lastFour: string
  scopes: string[]
  readOnly: boolean
  expiresAt: string | null
  hash: Buffer
  now: Date
}

export async function insertKey(sql: Sql, orgId: string, userId: string, key: NewKey): Promise<void> {
  await sql`
    insert into api_keys (org_id, id, user_id, name, prefix, last_four, scopes, read_only, expires_at, hash, created_at)
    values (${orgId}, ${key.id}, ${userId}, ${key.name}, ${key.prefix}, ${key.lastFour}, ${key.scopes}, ${key.readOnly},
      ${key.expiresAt}, ${key.hash}, ${key.now})`
}

export async function findKey(sql: Sql, orgId: string, userId: string, id: string) {
  const [row] = await sql<Pick<KeyRow, 'scopes'>[]>`
    select scopes from api_keys
    where org_id = ${orgId} and user_id = ${userId} and id = ${id} and revoked_at is null`
  return row ?? null
}

/** Null leaves a field unchanged: a rename never restores scopes that a concurrent change removed. */
export interface KeyChange {
  id: string
  name: string | null
  scopes: string[] | null
}

export async function updateKey(sql: Sql, orgId: string, userId: string, change: KeyChange, since: Date) {
  const [row] = await sql<KeyRow[]>`
    update api_keys k set name = coalesce(${change.name}, name), scopes = coalesce(${change.scopes}, scopes)
    where k.org_id = ${orgId} and k.user_id = ${userId} and k.id = ${change.id} and k.revoked_at is null
    returning ${columns(sql, since)}`
  return row ?? null
}

/** Returns the key's name, or null if no active key has this id. */
export async function updateRevoked(
  sql: Sql,
  orgId: string,
  userId: string,
  id: string,
  now: Date,
): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    with gone as (
      update api_keys set revoked_at = ${now}
      where org_id = ${orgId} and user_id = ${userId} and id = ${id} and revoked_at is null returning name)
    select name, ${notifyAccessChanged(sql, { userId })} from gone`
  return row?.name ?? null
}

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

/** Marks the next expiring key with an unnotified owner. Concurrent workers get different keys. */
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

export const updateLongExpired = (sql: Sql, before: Date, now: Date) => sql<
  { orgId: string; userId: string; id: string; name: string }[]
>`
  update api_keys set revoked_at = ${now}
  where expires_at < ${before} and expires_at is not null and revoked_at is null
  returning org_id as "orgId", user_id as "userId", id, name`

/** Since the last write. */
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
 * One statement across organizations. Writes rows in id order, so two processes never wait for each other. Skips keys
 * deleted in between.
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

/** Deletes counts for days no list shows any more. */
export const deleteDailyCounts = (sql: Sql, before: Date) =>
  sql`delete from api_key_days where day < (${before}::timestamptz at time zone 'UTC')::date`

export const listKeyNames = (sql: Sql, orgId: string, ids: readonly string[]) =>
  sql<{ id: string; name: string }[]>`
    select id, name from api_keys where org_id = ${orgId} and id = any(${[...ids]}::uuid[])`

export async function isKeyActive(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const rows = await sql`select from api_keys where org_id = ${orgId} and id = ${id} and revoked_at is null`
  return rows.length > 0
}

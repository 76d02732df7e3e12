import type { Role } from '../../../contract/accounts/accounts.ts'
import type { Sql } from '../../database/database.ts'
import { notifyAccessChanged } from '../../streams/notify.ts'

export interface KeyRow {
  id: string
  name: string
  prefix: string
  lastFour: string
  scopes: string[]
  readOnly: boolean
  lastUsedAt: string | null
  createdAt: string
}

interface KeyCaller {
  id: string
  userId: string
  orgId: string
  workspaceId: string | null
  role: Role
  operator: boolean
  scopes: string[]
  readOnly: boolean
  lastUsedAt: string | null
}

/** One indexed lookup from the key to the caller. It is not cached, so revocation is immediate. */
export async function findCaller(sql: Sql, hash: Buffer) {
  const [row] = await sql<KeyCaller[]>`
    select k.id, k.user_id as "userId", k.org_id as "orgId", m.default_workspace_id as "workspaceId", m.role,
      u.is_operator as operator, k.scopes, k.read_only as "readOnly", k.last_used_at as "lastUsedAt"
    from api_keys k
    join memberships m on m.org_id = k.org_id and m.user_id = k.user_id
    join users u on u.id = k.user_id
    where k.hash = ${hash} and k.revoked_at is null`
  return row ?? null
}

const columns = (sql: Sql) => sql`
  id, name, prefix, last_four as "lastFour", scopes, read_only as "readOnly", last_used_at as "lastUsedAt",
  created_at as "createdAt"`

export async function listKeys(sql: Sql, orgId: string, userId: string) {
  return sql<KeyRow[]>`
    select ${columns(sql)} from api_keys where org_id = ${orgId} and user_id = ${userId} and revoked_at is null
    order by id desc`
}

export interface NewKey {
  id: string
  name: string
  prefix: string
  lastFour: string
  scopes: string[]
  readOnly: boolean
  hash: Buffer
  now: Date
}

export async function insertKey(sql: Sql, orgId: string, userId: string, key: NewKey): Promise<void> {
  await sql`
    insert into api_keys (org_id, id, user_id, name, prefix, last_four, scopes, read_only, hash, created_at)
    values (${orgId}, ${key.id}, ${userId}, ${key.name}, ${key.prefix}, ${key.lastFour}, ${key.scopes}, ${key.readOnly}, ${key.hash},
      ${key.now})`
}

export async function findKey(sql: Sql, orgId: string, userId: string, id: string) {
  const [row] = await sql<KeyRow[]>`
    select ${columns(sql)} from api_keys
    where org_id = ${orgId} and user_id = ${userId} and id = ${id} and revoked_at is null`
  return row ?? null
}

/** Null leaves a field unchanged: a rename never restores scopes that a concurrent change removed. */
export interface KeyChange {
  id: string
  name: string | null
  scopes: string[] | null
}

export async function updateKey(sql: Sql, orgId: string, userId: string, change: KeyChange) {
  const [row] = await sql<KeyRow[]>`
    update api_keys set name = coalesce(${change.name}, name), scopes = coalesce(${change.scopes}, scopes)
    where org_id = ${orgId} and user_id = ${userId} and id = ${change.id} and revoked_at is null
    returning ${columns(sql)}`
  return row ?? null
}

/** The name of the revoked key; null if there is no active key with this id. */
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

export const updateKeysUsed = (sql: Sql, ids: string[], now: Date) =>
  sql`update api_keys set last_used_at = ${now} where id = any(${ids}::uuid[])`

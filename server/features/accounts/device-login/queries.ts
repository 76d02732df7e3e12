import type { Sql } from '../../../database/database.ts'

/** A device login has no tenant until a user decides it. Until then only its codes find it. */

export interface LoginRow {
  id: string
  status: 'pending' | 'approved' | 'denied' | 'consumed'
  clientName: string | null
  hostname: string | null
  scopes: string[]
  readOnly: boolean
  address: string
  createdAt: string
  expiresAt: string
}

const columns = (sql: Sql) => sql`
  id, status, client_name as "clientName", hostname, scopes, read_only as "readOnly", address, created_at as "createdAt",
  expires_at as "expiresAt"`

export interface NewLogin {
  id: string
  deviceCodeHash: Buffer
  userCodeHash: Buffer
  clientName: string | null
  hostname: string | null
  scopes: string[]
  readOnly: boolean
  address: string
  now: Date
  expiresAt: Date
}

/** False if the user code is in use. */
export async function insertLogin(sql: Sql, login: NewLogin): Promise<boolean> {
  const rows = await sql`
    insert into device_logins (id, device_code_hash, user_code_hash, client_name, hostname, scopes, read_only, address, created_at,
      expires_at)
    values (${login.id}, ${login.deviceCodeHash}, ${login.userCodeHash}, ${login.clientName}, ${login.hostname},
      ${login.scopes}, ${login.readOnly}, ${login.address}, ${login.now}, ${login.expiresAt})
    on conflict (user_code_hash) do nothing returning id`
  return rows.length > 0
}

export async function findByDeviceCode(sql: Sql, codeHash: Buffer) {
  const [row] = await sql<LoginRow[]>`
    select ${columns(sql)} from device_logins where device_code_hash = ${codeHash}`
  return row ?? null
}

export async function findByUserCode(sql: Sql, codeHash: Buffer) {
  const [row] = await sql<LoginRow[]>`
    select ${columns(sql)} from device_logins where user_code_hash = ${codeHash}`
  return row ?? null
}

/** False if already decided: only one concurrent decision succeeds. */
export async function updateDecided(
  sql: Sql,
  orgId: string,
  userId: string,
  { id, status, sessionId }: { id: string; status: 'approved' | 'denied'; sessionId: string },
): Promise<boolean> {
  const rows = await sql`
    update device_logins set status = ${status}, org_id = ${orgId}, user_id = ${userId}, session_id = ${sessionId}
    where id = ${id} and status = 'pending' returning id`
  return rows.length > 0
}

/** False if the login isn't pending or was polled after `since`. */
export async function updatePolled(sql: Sql, codeHash: Buffer, now: Date, since: Date): Promise<boolean> {
  const rows = await sql`
    update device_logins set last_polled_at = ${now}
    where device_code_hash = ${codeHash} and status = 'pending' and expires_at > ${now}
      and (last_polled_at is null or last_polled_at <= ${since})
    returning id`
  return rows.length > 0
}

export interface ConsumedLogin {
  orgId: string
  userId: string
  clientName: string | null
  hostname: string | null
  scopes: string[]
  readOnly: boolean
}

/** A concurrent call waits for the first and then finds the login consumed. */
export async function updateConsumed(sql: Sql, codeHash: Buffer, now: Date) {
  const [row] = await sql<ConsumedLogin[]>`
    update device_logins set status = 'consumed'
    where device_code_hash = ${codeHash} and status = 'approved' and expires_at > ${now}
    returning org_id as "orgId", user_id as "userId", client_name as "clientName", hostname, scopes,
      read_only as "readOnly"`
  return row ?? null
}

export const deleteLoginsExpiredBefore = (sql: Sql, time: Date) =>
  sql`delete from device_logins where expires_at < ${time}`

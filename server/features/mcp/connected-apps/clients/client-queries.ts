import { Id } from '../../../../../contract/fields.ts'
import type { AUTH_METHODS } from '../../../../../contract/mcp/authorization-server.ts'
import type { Sql } from '../../../../database/database.ts'

/** A registered client belongs to no organization: it registers before a person connects it. */
export interface ClientRow {
  id: string
  name: string
  redirectUris: string[]
  authMethod: (typeof AUTH_METHODS)[number]
  secretHash: Buffer | null
}

export async function insertClient(
  sql: Sql,
  {
    id,
    name,
    redirectUris,
    authMethod,
    secretHash,
    address,
    now,
  }: ClientRow & { address: string; now: Date },
): Promise<void> {
  await sql`
    insert into oauth_clients (id, name, redirect_uris, auth_method, secret_hash, address, created_at, last_used_at)
    values (${id}, ${name}, ${redirectUris}, ${authMethod}, ${secretHash}, ${address}, ${now}, ${now})`
}

/** Finds a client, and records its use at most once an hour. */
export async function findClient(sql: Sql, clientId: string, now: Date) {
  const id = Id.safeParse(clientId).data
  if (id === undefined) return null
  const [row] = await sql<(ClientRow & { isStale: boolean })[]>`
    select id, name, redirect_uris as "redirectUris", auth_method as "authMethod", secret_hash as "secretHash",
      last_used_at < ${now}::timestamptz - interval '1 hour' as "isStale"
    from oauth_clients where id = ${id}`
  if (row?.isStale) await sql`update oauth_clients set last_used_at = ${now} where id = ${id}`
  return row ?? null
}

/** A client with a live grant is in use, however seldom it calls. */
export const deleteUnusedClients = (sql: Sql, unusedSince: Date, now: Date) => sql`
  delete from oauth_clients c where c.last_used_at < ${unusedSince}
    and not exists (
      select from app_grants g where g.client_id = c.id::text and g.revoked_at is null and g.refresh_until > ${now}
        and (g.expires_at is null or g.expires_at > ${now}))`

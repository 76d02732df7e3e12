import type { Sql } from '../../../database/database.ts'

export interface NewConnection {
  id: string
  userId: string
  slug: string
  label: string | null
  config: Record<string, string>
  pendingUntil: Date
  now: Date
}

export async function insertPending(sql: Sql, orgId: string, connection: NewConnection): Promise<void> {
  const { id, userId, slug, label, config, pendingUntil, now } = connection
  await sql`
    insert into connections (org_id, id, user_id, connector_slug, label, status, config, pending_until, created_at, updated_at)
    values (${orgId}, ${id}, ${userId}, ${slug}, ${label}, 'pending', ${sql.json(config)}, ${pendingUntil}, ${now}, ${now})`
}

export interface ConnectionKey {
  userId: string
  slug: string
  label: string | null
}

/** The connection of a person with this connector and label that works. */
export async function findActiveId(sql: Sql, orgId: string, { userId, slug, label }: ConnectionKey) {
  const [row] = await sql<{ id: string }[]>`
    select id from connections
    where org_id = ${orgId} and user_id = ${userId} and connector_slug = ${slug} and deleted_at is null
      and label is not distinct from ${label} and status = 'active'
    order by created_at desc, id desc limit 1`
  return row?.id ?? null
}

/** Extends the time of a pending connection that was started with the same values, and returns its id. */
export async function resumePending(
  sql: Sql,
  orgId: string,
  { userId, slug, label, config, pendingUntil, now }: Omit<NewConnection, 'id'>,
) {
  const [row] = await sql<{ id: string }[]>`
    update connections set pending_until = ${pendingUntil} where org_id = ${orgId} and id = (
      select id from connections
      where org_id = ${orgId} and user_id = ${userId} and connector_slug = ${slug} and deleted_at is null
        and label is not distinct from ${label} and status = 'pending' and pending_until > ${now}
        and config = ${sql.json(config)}
      order by created_at desc, id desc limit 1)
    returning id`
  return row?.id ?? null
}

/** A pending connection whose authorization did not succeed is not listed: it never worked. */
export const failPending = (sql: Sql, orgId: string, id: string, reason: string, now: Date) => sql`
  update connections set status = 'failed', status_reason = ${reason}, version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and id = ${id} and status = 'pending' and deleted_at is null`

export const updateLabel = (sql: Sql, orgId: string, id: string, label: string | null, now: Date) => sql`
  update connections set label = ${label}, version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and id = ${id} and deleted_at is null`

export interface Sharing {
  shared: 'none' | 'project' | 'org'
  projectId: string | null
}

export const updateSharing = (
  sql: Sql,
  orgId: string,
  id: string,
  { shared, projectId }: Sharing,
  now: Date,
) => sql`
  update connections set shared = ${shared}, shared_project_id = ${projectId}, version = version + 1,
    updated_at = ${now}
  where org_id = ${orgId} and id = ${id} and deleted_at is null`

/** A connection that is shared with a purged project is no longer shared. */
export async function unshareProject(sql: Sql, orgId: string, projectId: string, now: Date): Promise<number> {
  const { count } = await sql`
    update connections set shared = 'none', shared_project_id = null, version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and shared = 'project' and shared_project_id = ${projectId}`
  return count
}

export interface GrantedSecrets {
  id: string
  sealed: string
  scopes: string[]
  missingScopes: string[]
  clientId: string | null
  kept: Record<string, string>
  expiresAt: Date | null
  refreshDueAt: Date | null
  now: Date
}

/** Stores the tokens or credentials of a connection. Returns its generation; null if the connection was revoked since. */
export async function storeGranted(sql: Sql, orgId: string, granted: GrantedSecrets): Promise<number | null> {
  const { id, sealed, scopes, missingScopes, clientId, kept, expiresAt, refreshDueAt, now } = granted
  const [row] = await sql<{ generation: number }[]>`
    with changed as (
      update connections set generation = generation + 1, scopes = ${scopes}, missing_scopes = ${missingScopes},
        client_id = ${clientId}, kept = ${sql.json(kept)}, expires_at = ${expiresAt}, refresh_due_at = ${refreshDueAt},
        refresh_failures = 0, refreshing_until = null, last_refresh_at = ${now}, updated_at = ${now}
      where org_id = ${orgId} and id = ${id} and deleted_at is null
      returning org_id, id, generation
    ), stored as (
      insert into connection_secrets (org_id, connection_id, sealed) select org_id, id, ${sealed} from changed
      on conflict (org_id, connection_id) do update
        set sealed = excluded.sealed, previous_sealed = null, previous_until = null
    )
    select generation from changed`
  return row?.generation ?? null
}

import type { ConnectionStatus } from '../../../../contract/connections/connector-options.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { projectAccess } from '../../projects/access/access.ts'

export interface Account {
  id: string | null
  name: string | null
  email: string | null
  avatarUrl: string | null
}

export interface ConnectionRow {
  id: string
  userId: string
  ownerName: string
  slug: string
  label: string | null
  status: ConnectionStatus
  statusReason: string | null
  account: Account | null
  config: Record<string, string>
  kept: Record<string, string>
  scopes: string[]
  missingScopes: string[]
  clientId: string | null
  shared: 'none' | 'project' | 'org'
  sharedProjectId: string | null
  pendingUntil: string | null
  expiresAt: string | null
  refreshDueAt: string | null
  refreshFailures: number
  generation: number
  lastUsedAt: string | null
  lastRefreshAt: string | null
  version: number
  createdAt: string
  updatedAt: string
  deletedAt: string | null
}

/** Secrets are in their own table. */
const columns = (sql: Sql): Fragment => sql`
  c.id, c.user_id as "userId", u.name as "ownerName", c.connector_slug as slug, c.label, c.status,
  c.status_reason as "statusReason", c.account, c.config, c.kept, c.scopes, c.missing_scopes as "missingScopes",
  c.client_id as "clientId", c.shared, c.shared_project_id as "sharedProjectId", c.pending_until as "pendingUntil",
  c.expires_at as "expiresAt", c.refresh_due_at as "refreshDueAt", c.refresh_failures as "refreshFailures",
  c.generation, c.last_used_at as "lastUsedAt", c.last_refresh_at as "lastRefreshAt", c.version,
  c.created_at as "createdAt", c.updated_at as "updatedAt", c.deleted_at as "deletedAt"`

const rows = (sql: Sql): Fragment => sql`connections c join users u on u.id = c.user_id`

export async function findConnection(sql: Sql, orgId: string, id: string): Promise<ConnectionRow | null> {
  const [row] = await sql<ConnectionRow[]>`
    select ${columns(sql)} from ${rows(sql)}
    where c.org_id = ${orgId} and c.id = ${id} and c.deleted_at is null`
  return row ?? null
}

export async function findWithSecrets(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<(ConnectionRow & { sealed: string | null; isMember: boolean })[]>`
    select ${columns(sql)}, s.sealed,
      exists (select from memberships m where m.org_id = c.org_id and m.user_id = c.user_id) as "isMember" from ${rows(sql)}
      left join connection_secrets s on s.org_id = c.org_id and s.connection_id = c.id
    where c.org_id = ${orgId} and c.id = ${id} and c.deleted_at is null`
  return row ?? null
}

export const updateUsed = (sql: Sql, orgId: string, id: string, now: Date) => sql`
  update connections set last_used_at = ${now} where org_id = ${orgId} and id = ${id} and deleted_at is null`

/** Newest first. A quota limits their number. */
export const listOfUser = (sql: Sql, orgId: string, userId: string) => sql<ConnectionRow[]>`
  select ${columns(sql)} from ${rows(sql)}
  where c.org_id = ${orgId} and c.user_id = ${userId} and c.deleted_at is null
  order by c.created_at desc, c.id desc`

type SharedWith = Pick<Caller, 'orgId' | 'userId' | 'role' | 'credentialId'>

export const listShared = (sql: Sql, { orgId, userId, role, credentialId }: SharedWith) => sql<
  ConnectionRow[]
>`
  select ${columns(sql)} from ${rows(sql)}
  where c.org_id = ${orgId} and c.user_id <> ${userId} and c.deleted_at is null and c.shared <> 'none'
    and c.status in ('active', 'expired', 'error')
    and (c.shared = 'org' or exists (
      select from projects p where p.org_id = ${orgId} and p.id = c.shared_project_id and p.deleted_at is null
        and ${projectAccess(sql, { orgId, userId, role, credentialId })} is not null))
  order by c.created_at desc, c.id desc`

export async function countExpired(sql: Sql, orgId: string, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select ${expiredCount(sql, orgId, userId)} as count`
  return row!.count
}

export const expiredCount = (sql: Sql, orgId: string, userId: string): Fragment => sql`(
  select count(*)::int from connections
  where org_id = ${orgId} and user_id = ${userId} and deleted_at is null and status = 'expired')`

interface NewConnection {
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

interface ConnectionKey {
  userId: string
  slug: string
  label: string | null
}

export async function findActiveId(sql: Sql, orgId: string, { userId, slug, label }: ConnectionKey) {
  const [row] = await sql<{ id: string }[]>`
    select id from connections
    where org_id = ${orgId} and user_id = ${userId} and connector_slug = ${slug} and deleted_at is null
      and label is not distinct from ${label} and status = 'active'
    order by created_at desc, id desc limit 1`
  return row?.id ?? null
}

/** Also extends the deadline. */
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

/** Failed connections aren't listed, since they never worked. */
export const failPending = (sql: Sql, orgId: string, id: string, reason: string, now: Date) => sql`
  update connections set status = 'failed', status_reason = ${reason}, version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and id = ${id} and status = 'pending' and deleted_at is null`

export const updateLabel = (sql: Sql, orgId: string, id: string, label: string | null, now: Date) => sql`
  update connections set label = ${label}, version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and id = ${id} and deleted_at is null`

interface Sharing {
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

export async function unshareProject(sql: Sql, orgId: string, projectId: string, now: Date): Promise<number> {
  const { count } = await sql`
    update connections set shared = 'none', shared_project_id = null, version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and shared = 'project' and shared_project_id = ${projectId}`
  return count
}

interface GrantedSecrets {
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

/** Returns null if the connection was revoked since. */
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

/** Includes connections that don't work at the moment. */
export interface UsableConnection {
  id: string
  slug: string
  label: string | null
  accountName: string | null
  ownerId: string
  status: 'active' | 'expired' | 'error'
  statusReason: string | null
  /** Another user owns and shares it. */
  isShared: boolean
}

interface UsableBy {
  userId: string
  projectId: string | null
  slugs: readonly string[]
}

/** Own first, then shared, oldest first. */
export const listUsable = (sql: Sql, orgId: string, { userId, projectId, slugs }: UsableBy) => sql<
  UsableConnection[]
>`
  select id, connector_slug as slug, label, coalesce(account ->> 'name', account ->> 'email') as "accountName",
    user_id as "ownerId", status, status_reason as "statusReason", user_id <> ${userId} as "isShared"
  from connections
  where org_id = ${orgId} and deleted_at is null and status in ('active', 'expired', 'error')
    and exists (select from memberships m where m.org_id = ${orgId} and m.user_id = connections.user_id)
    and connector_slug = any(${slugs as string[]})
    and (user_id = ${userId} or shared = 'org' or (shared = 'project' and shared_project_id = ${projectId}))
  order by user_id <> ${userId}, created_at, id`

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

/** Without secrets: they are in a table of their own. */
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

/** With its secrets, for requests to the provider. */
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

/** Newest first, without pages: a quota limits their number. */
export const listOfUser = (sql: Sql, orgId: string, userId: string) => sql<ConnectionRow[]>`
  select ${columns(sql)} from ${rows(sql)}
  where c.org_id = ${orgId} and c.user_id = ${userId} and c.deleted_at is null
  order by c.created_at desc, c.id desc`

type SharedWith = Pick<Caller, 'orgId' | 'userId' | 'role' | 'credentialId'>

/** The connections that others share with the caller. */
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

/** How many connections of a person have to be authorized again. */
export async function countExpired(sql: Sql, orgId: string, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from connections
    where org_id = ${orgId} and user_id = ${userId} and deleted_at is null and status = 'expired'`
  return row!.count
}

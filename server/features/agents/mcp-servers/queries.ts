import type { McpAuth } from '../../../../contract/agents/mcp-server-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { agentsNaming } from '../agents/agents.ts'
import type { OAuthClientState } from './sign-in/oauth-state.ts'

export interface Implementation {
  name: string
  version: string
  protocol: string
  leftOut: number
}

export interface ServerRow {
  id: string
  name: string
  slug: string
  url: string
  auth: McpAuth
  headerName: string | null
  headerSealed: string | null
  lastFour: string | null
  clientSecretSealed: string | null
  tokensSealed: string | null
  tokensExpireAt: string | null
  oauth: OAuthClientState
  signedInBy: string | null
  signedInAt: string | null
  needsSignIn: boolean
  enabled: boolean
  trusted: boolean
  approvals: Record<string, 'ask' | 'allow'>
  checkedAt: string | null
  latencyMs: number | null
  failingSince: string | null
  problem: string | null
  implementation: Implementation | null
  version: number
  createdBy: string
  createdAt: string
  updatedAt: string
}

const columns = (sql: Sql): Fragment => sql`
  s.id, s.name, s.slug, s.url, s.auth, s.header_name as "headerName", s.header_sealed as "headerSealed",
  s.header_last_four as "lastFour", s.client_secret_sealed as "clientSecretSealed", s.tokens_sealed as "tokensSealed",
  s.tokens_expire_at as "tokensExpireAt", s.oauth, s.signed_in_by as "signedInBy", s.signed_in_at as "signedInAt",
  s.needs_sign_in as "needsSignIn", s.enabled, s.trusted, s.approvals, s.checked_at as "checkedAt",
  s.latency_ms as "latencyMs", s.failing_since as "failingSince", s.problem, s.implementation, s.version,
  s.created_by as "createdBy", s.created_at as "createdAt", s.updated_at as "updatedAt"`

/** Unpaged: a quota limits their number. */
export const listServers = (sql: Sql, orgId: string) => sql<ServerRow[]>`
  select ${columns(sql)} from mcp_servers s where s.org_id = ${orgId} order by lower(s.name), s.id`

export async function findServer(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<ServerRow[]>`
    select ${columns(sql)} from mcp_servers s where s.org_id = ${orgId} and s.id = ${id}`
  return row ?? null
}

export async function lockServer(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<ServerRow[]>`
    select ${columns(sql)} from mcp_servers s where s.org_id = ${orgId} and s.id = ${id} for update`
  return row ?? null
}

/** Naming checks that a name is free before writing it. */
export const lockNames = (sql: Sql, orgId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`names of MCP servers ${orgId}`}, 0))`

export const listSlugs = async (sql: Sql, orgId: string): Promise<string[]> =>
  (await sql<{ slug: string }[]>`select slug from mcp_servers where org_id = ${orgId}`).map(
    ({ slug }) => slug,
  )

export async function findIdByName(sql: Sql, orgId: string, name: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from mcp_servers where org_id = ${orgId} and lower(name) = lower(${name})`
  return row?.id ?? null
}

type Credentials = Pick<
  ServerRow,
  'auth' | 'headerName' | 'headerSealed' | 'lastFour' | 'clientSecretSealed' | 'oauth'
>
export type ServerSettings = Pick<ServerRow, 'name' | 'url' | 'enabled' | 'trusted' | 'approvals'> &
  Credentials

export async function insertServer(
  sql: Sql,
  orgId: string,
  server: Omit<ServerSettings, 'enabled'> & { id: string; slug: string; createdBy: string; now: Date },
): Promise<void> {
  const { id, name, slug, url, auth, headerName, headerSealed, lastFour, clientSecretSealed, oauth } = server
  const { trusted, approvals, createdBy, now } = server
  await sql`
    insert into mcp_servers (org_id, id, name, slug, url, auth, header_name, header_sealed, header_last_four,
      client_secret_sealed, oauth, needs_sign_in, trusted, approvals, created_by, created_at, updated_at)
    values (${orgId}, ${id}, ${name}, ${slug}, ${url}, ${auth}, ${headerName}, ${headerSealed}, ${lastFour},
      ${clientSecretSealed}, ${sql.json(oauth as never)}, ${auth === 'oauth'}, ${trusted},
      ${sql.json(approvals)}, ${createdBy}, ${now}, ${now})`
}

/** Tokens are bound to one URL and client. */
export async function updateServer(
  sql: Sql,
  orgId: string,
  id: string,
  settings: ServerSettings,
  { keepsTokens, now }: { keepsTokens: boolean; now: Date },
): Promise<void> {
  const { name, url, auth, headerName, headerSealed, lastFour, clientSecretSealed, oauth } = settings
  const { enabled, trusted, approvals } = settings
  await sql`
    update mcp_servers set name = ${name}, url = ${url}, auth = ${auth}, header_name = ${headerName},
      header_sealed = ${headerSealed}, header_last_four = ${lastFour}, client_secret_sealed = ${clientSecretSealed},
      oauth = ${sql.json(oauth as never)}, enabled = ${enabled}, trusted = ${trusted},
      approvals = ${sql.json(approvals)}, version = version + 1, updated_at = ${now}
      ${keepsTokens ? sql`` : sql`, ${withoutTokens(sql)}, needs_sign_in = ${auth === 'oauth'}`}
    where org_id = ${orgId} and id = ${id}`
}

export const withoutTokens = (sql: Sql): Fragment => sql`
  tokens_sealed = null, tokens_expire_at = null, signed_in_by = null, signed_in_at = null`

export const touchServer = (sql: Sql, orgId: string, id: string, now: Date) => sql`
  update mcp_servers set version = version + 1, updated_at = ${now} where org_id = ${orgId} and id = ${id}`

export async function deleteServer(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`delete from mcp_servers where org_id = ${orgId} and id = ${id}`
}

export interface Use {
  serverId: string
  id: string
  name: string
}

/** Current versions only. */
export const listUses = (sql: Sql, orgId: string) => sql<Use[]>`
  select a.named as "serverId", a.id, a.name
  from (${agentsNaming(sql, orgId, 'mcpServers')}) a order by lower(a.name), a.id`

export async function listExistingServerIds(
  sql: Sql,
  orgId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await sql<{ id: string }[]>`
    select id from mcp_servers where org_id = ${orgId} and id = any(${ids as string[]}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

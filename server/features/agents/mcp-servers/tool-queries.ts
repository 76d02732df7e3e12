import type { Sql } from '../../../database/database.ts'
import type { ToolDefinition } from './listing/definition.ts'

export interface ToolRow {
  serverId: string
  name: string
  callName: string
  allowed: boolean
  accepted: ToolDefinition | null
  acceptedHash: string | null
  acceptedBy: string | null
  acceptedAt: string | null
  listed: ToolDefinition | null
  listedHash: string | null
  problem: string | null
}

const columns = (sql: Sql) => sql`
  t.server_id as "serverId", t.name, t.call_name as "callName", t.allowed, t.accepted, t.accepted_hash as "acceptedHash",
  t.accepted_by as "acceptedBy", t.accepted_at as "acceptedAt", t.listed, t.listed_hash as "listedHash", t.problem`

export const listTools = (sql: Sql, orgId: string, serverId: string) => sql<ToolRow[]>`
  select ${columns(sql)} from mcp_tools t where t.org_id = ${orgId} and t.server_id = ${serverId} order by t.name`

export type ToolHash = Pick<ToolRow, 'name' | 'callName' | 'listedHash' | 'problem'>

export const listToolHashes = (sql: Sql, orgId: string, serverId: string) => sql<ToolHash[]>`
  select name, call_name as "callName", listed_hash as "listedHash", problem from mcp_tools
  where org_id = ${orgId} and server_id = ${serverId}`

export const listToolStates = (sql: Sql, orgId: string) => sql<
  Omit<ToolRow, 'accepted' | 'listed' | 'acceptedBy' | 'acceptedAt'>[]
>`
  select t.server_id as "serverId", t.name, t.call_name as "callName", t.allowed, t.accepted_hash as "acceptedHash",
    t.listed_hash as "listedHash", t.problem
  from mcp_tools t where t.org_id = ${orgId} order by t.name`

export const listCallNames = async (sql: Sql, orgId: string): Promise<string[]> =>
  (
    await sql<{ callName: string }[]>`select call_name as "callName" from mcp_tools where org_id = ${orgId}`
  ).map(({ callName }) => callName)

export interface ListedTool {
  name: string
  callName: string
  listed: ToolDefinition
  listedHash: string
  problem: string | null
}

/** Tools no longer listed stay if an admin accepted them. */
export async function replaceListing(
  sql: Sql,
  orgId: string,
  serverId: string,
  tools: readonly ListedTool[],
): Promise<void> {
  const names = tools.map(({ name }) => name)
  await sql`
    delete from mcp_tools
    where org_id = ${orgId} and server_id = ${serverId} and accepted is null and name <> all(${names})`
  await sql`
    update mcp_tools set listed = null, listed_hash = null, problem = null
    where org_id = ${orgId} and server_id = ${serverId} and name <> all(${names})`
  if (tools.length === 0) return
  await sql`
    insert into mcp_tools (org_id, server_id, name, call_name, listed, listed_hash, problem)
    select ${orgId}, ${serverId}, t.name, t."callName", t.listed, t."listedHash", t.problem
    from jsonb_to_recordset(${sql.json(tools as never)})
      as t (name text, "callName" text, listed jsonb, "listedHash" text, problem text)
    on conflict (org_id, server_id, name) do update
    set listed = excluded.listed, listed_hash = excluded.listed_hash, problem = excluded.problem`
}

/** Returns false if now listed in another form. */
export async function acceptTool(
  sql: Sql,
  orgId: string,
  serverId: string,
  tool: { name: string; hash: string; allow: boolean; by: string; now: Date },
): Promise<boolean> {
  const { name, hash, allow, by, now } = tool
  const { count } = await sql`
    update mcp_tools set accepted = listed, accepted_hash = listed_hash, accepted_by = ${by}, accepted_at = ${now},
      allowed = ${allow}
    where org_id = ${orgId} and server_id = ${serverId} and name = ${name} and listed_hash = ${hash}`
  return count === 1
}

export async function deleteRemoved(
  sql: Sql,
  orgId: string,
  serverId: string,
  name: string,
): Promise<boolean> {
  const { count } = await sql`
    delete from mcp_tools
    where org_id = ${orgId} and server_id = ${serverId} and name = ${name} and listed is null`
  return count === 1
}

export const allowTools = (sql: Sql, orgId: string, serverId: string, names: readonly string[]) => sql`
  update mcp_tools set allowed = accepted is not null and name = any(${names as string[]})
  where org_id = ${orgId} and server_id = ${serverId}`

export const deleteTools = (sql: Sql, orgId: string, serverId: string) => sql`
  delete from mcp_tools where org_id = ${orgId} and server_id = ${serverId}`

export interface UsableTool extends ToolRow {
  accepted: ToolDefinition
  acceptedHash: string
  serverName: string
  trusted: boolean
  rule: 'ask' | 'allow' | null
}

export const listUsableTools = (sql: Sql, orgId: string, serverIds: readonly string[]) => sql<UsableTool[]>`
  select ${columns(sql)}, s.name as "serverName", s.trusted, s.approvals ->> t.name as rule
  from mcp_tools t
  join mcp_servers s on s.org_id = t.org_id and s.id = t.server_id and s.enabled
  where t.org_id = ${orgId} and t.server_id = any(${serverIds as string[]}::uuid[]) and t.allowed
    and t.accepted_hash = t.listed_hash and t.problem is null
  order by t.call_name`

import type { AgentSettings } from '../../../../contract/agents/agents.ts'
import type { Sql } from '../../../database/database.ts'
import { type AgentRow, columns, settingsIn } from './records.ts'

export interface AgentFilter {
  archived: boolean
  sort: 'newest' | 'name'
  /** A LIKE pattern. */
  pattern: string | null
}

export interface ListedAgent extends AgentRow {
  sortKey: string
}

/** A page starts after this id, and in a list by name after this sort key. */
export interface Position {
  id: string
  sortKey: string
}

/**
 * Finds the page in the narrow agent rows, and reads only its settings. A search reads the organization's agents in
 * order, up to the page's end: there are few.
 */
export async function listAgents(
  sql: Sql,
  orgId: string,
  { archived, sort, pattern }: AgentFilter,
  { after, limit }: { after: Position | null; limit: number },
): Promise<ListedAgent[]> {
  const byName = sort === 'name'
  const order = byName ? sql`a.sort_key, a.id` : sql`a.id desc`
  const start = byName
    ? sql`(a.sort_key, a.id) > (${after?.sortKey ?? ''}, ${after?.id ?? ''}::uuid)`
    : sql`a.id < ${after?.id ?? ''}::uuid`
  return sql<ListedAgent[]>`
    select ${columns(sql)}, a.sort_key as "sortKey"
    from (
      select * from agents a
      where a.org_id = ${orgId} and ${archived ? sql`a.archived_at is not null` : sql`a.archived_at is null`}
        and ${after ? start : sql`true`} and ${pattern === null ? sql`true` : sql`a.search_key like ${pattern}`}
      order by ${order} limit ${limit}
    ) a cross join lateral (
      select v.settings from agent_versions v
      where v.org_id = ${orgId} and v.agent_id = a.id and v.version = a.version limit 1
    ) v
    order by ${order}`
}

/** Few agents have one, and their number is limited by a quota. */
export const listFaces = (sql: Sql, orgId: string) => sql<
  { agentId: string; emoji: string | null; imageKey: string | null }[]
>`
  select a.id as "agentId", v.settings ->> 'emoji' as emoji, a.image_key as "imageKey"
  from agents a cross join lateral (
    select v.settings from agent_versions v
    where v.org_id = ${orgId} and v.agent_id = a.id and v.version = a.version limit 1
  ) v
  where a.org_id = ${orgId} and (a.image_key is not null or v.settings ->> 'emoji' is not null)
  order by a.id`

export interface VersionRow {
  version: number
  change: 'created' | 'updated' | 'restored' | 'archived' | 'unarchived'
  restoredFrom: number | null
  settings: AgentSettings
  by: { id: string; name: string } | null
  createdAt: string
}

export async function listVersions(
  sql: Sql,
  orgId: string,
  agentId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<VersionRow[]> {
  return sql<VersionRow[]>`
    select v.version, v.change, v.restored_from as "restoredFrom", ${settingsIn(sql)} as settings,
      v.created_at as "createdAt", (
      select json_build_object('id', u.id, 'name', u.name) from users u where u.id = v.changed_by
    ) as by
    from agent_versions v
    where v.org_id = ${orgId} and v.agent_id = ${agentId} and ${before === null ? sql`true` : sql`v.version < ${before}`}
    order by v.version desc limit ${limit}`
}

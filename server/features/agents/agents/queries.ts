import type { AgentSettings } from '../../../../contract/agents/agents.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { type AgentRow, columns, settingsIn } from './records.ts'

const select = (sql: Sql, clauses: Fragment) => sql<AgentRow[]>`
  select ${columns(sql)} from agents a
  join agent_versions v on v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version ${clauses}`

/** Includes archived agents. */
export async function findAgent(sql: Sql, orgId: string, id: string): Promise<AgentRow | null> {
  const [row] = await select(sql, sql`where a.org_id = ${orgId} and a.id = ${id}`)
  return row ?? null
}

/**
 * Locked until the transaction ends. Two statements: one that waited for the lock would join the new version number
 * with the versions that existed before it waited.
 */
export async function lockAgent(sql: Sql, orgId: string, id: string): Promise<AgentRow | null> {
  await sql`select from agents where org_id = ${orgId} and id = ${id} for no key update`
  return findAgent(sql, orgId, id)
}

/** The agent the organization started with, else the oldest that isn't archived. */
export async function findDefaultAgent(sql: Sql, orgId: string): Promise<AgentRow | null> {
  const [row] = await select(
    sql,
    sql`where a.org_id = ${orgId} and a.archived_at is null
      order by a.created_by is not null, a.created_at, a.id limit 1`,
  )
  return row ?? null
}

/** A version's settings never change. */
export async function findVersion(
  sql: Sql,
  orgId: string,
  agentId: string,
  version: number,
): Promise<AgentSettings | null> {
  const [row] = await sql<{ settings: AgentSettings }[]>`
    select ${settingsIn(sql)} as settings from agent_versions v
    where org_id = ${orgId} and agent_id = ${agentId} and version = ${version}`
  return row?.settings ?? null
}

/** Runs on the transaction that creates the organization. */
export async function addAssistant(sql: Sql, orgId: string, now: Date): Promise<void> {
  await sql`select add_assistant(${orgId}, ${now})`
}

/** Rows for agents in use (`id`, `name`), once per record (`named`) their setting names. */
export const agentsNaming = (
  sql: Sql,
  orgId: string,
  setting: 'skills' | 'mcpServers' | 'guardrails',
): Fragment => sql`
  select a.id, a.name, record.id as named from agents a
  cross join lateral (
    select v.settings from agent_versions v
    where v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version limit 1
  ) v
  cross join lateral jsonb_array_elements_text(v.settings -> ${setting}::text) as record(id)
  where a.org_id = ${orgId} and a.archived_at is null`

export interface ListKeys {
  name: string
  sortKey: string
  searchKey: string
}

export interface NewVersion {
  id: string
  version: number
  change: 'created' | 'updated' | 'restored' | 'archived' | 'unarchived'
  restoredFrom: number | null
  settings: AgentSettings
  by: string
  now: Date
}

export async function insertAgent(sql: Sql, orgId: string, version: NewVersion & ListKeys): Promise<void> {
  const { id, name, sortKey, searchKey, by, now } = version
  await sql`
    insert into agents (org_id, id, name, sort_key, search_key, created_by, created_at, updated_at)
    values (${orgId}, ${id}, ${name}, ${sortKey}, ${searchKey}, ${by}, ${now}, ${now})`
  await insertVersion(sql, orgId, version)
}

/** Makes the version its agent's current one. The agent must be locked. */
export async function updateAgent(sql: Sql, orgId: string, version: NewVersion & ListKeys): Promise<void> {
  const { id, name, sortKey, searchKey, now } = version
  const archivedAt = version.change === 'archived' ? now : null
  await sql`
    update agents set name = ${name}, sort_key = ${sortKey}, search_key = ${searchKey}, version = ${version.version},
      updated_at = ${now}, archived_at = ${archivedAt}
    where org_id = ${orgId} and id = ${id}`
  await insertVersion(sql, orgId, version)
}

async function insertVersion(sql: Sql, orgId: string, version: NewVersion): Promise<void> {
  const { id, change, restoredFrom, settings, by, now } = version
  await sql`
    insert into agent_versions (org_id, agent_id, version, change, restored_from, settings, changed_by, created_at)
    values (${orgId}, ${id}, ${version.version}, ${change}, ${restoredFrom}, ${sql.json(settings as never)}, ${by}, ${now})`
}

/** Agents that can run. A quota limits how many there are. */
export const listAgentsByName = (sql: Sql, orgId: string) => sql<
  { id: string; name: string; description: string | null }[]
>`
  select a.id, a.name, v.settings ->> 'description' as description from agents a
  join agent_versions v on v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version
  where a.org_id = ${orgId} and a.archived_at is null order by a.sort_key, a.id`

/** Includes archived agents. */
export const listAgentNames = (sql: Sql, orgId: string, ids: readonly string[]) =>
  sql<{ id: string; name: string }[]>`
    select id, name from agents where org_id = ${orgId} and id = any(${[...ids]}::uuid[])`

/** Until the transaction ends, others that look for the name wait: they find the agent that this one creates. */
export async function findNamedAgent(
  sql: Sql,
  orgId: string,
  { name, model }: { name: string; model: string },
): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`named agent ${orgId} ${name}`}, 0))`
  const [row] = await sql<{ id: string }[]>`
    select a.id from agents a
    join agent_versions v on v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version
    where a.org_id = ${orgId} and a.name = ${name} and a.archived_at is null and v.settings ->> 'model' = ${model}
    order by a.id limit 1`
  return row?.id ?? null
}

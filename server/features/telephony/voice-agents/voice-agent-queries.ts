import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { projectAccess, projectById } from '../../projects/access/access.ts'

type Provider = 'openai' | 'elevenlabs'

export interface VoiceAgentRow {
  orgId: string
  id: string
  provider: Provider
  providerAgentId: string | null
  agentId: string
  projectId: string
  connectionId: string | null
  ownerId: string
  toolSecretHash: Buffer
  webhookSecretSealed: string | null
}

const columns = (sql: Sql): Fragment => sql`
  org_id as "orgId", id, provider, provider_agent_id as "providerAgentId", agent_id as "agentId",
  project_id as "projectId", connection_id as "connectionId", owner_id as "ownerId",
  tool_secret_hash as "toolSecretHash", webhook_secret_sealed as "webhookSecretSealed"`

/** Also finds the tenant: providers send no other id. */
export async function findVoiceAgentByUrl(sql: Sql, id: string): Promise<VoiceAgentRow | null> {
  const [row] = await sql<VoiceAgentRow[]>`
    select ${columns(sql)} from voice_agents where id = ${id} and deleted_at is null`
  return row ?? null
}

/** Also finds the tenant. Ids are unique in this server's account. */
export async function findSharedVoiceAgent(
  sql: Sql,
  provider: Provider,
  providerAgentId: string,
): Promise<VoiceAgentRow | null> {
  const [row] = await sql<VoiceAgentRow[]>`
    select ${columns(sql)} from voice_agents
    where provider = ${provider} and provider_agent_id = ${providerAgentId} and webhook_secret_sealed is null
      and deleted_at is null`
  return row ?? null
}

export async function findVoiceAgent(sql: Sql, orgId: string, id: string): Promise<VoiceAgentRow | null> {
  const [row] = await sql<VoiceAgentRow[]>`
    select ${columns(sql)} from voice_agents where org_id = ${orgId} and id = ${id} and deleted_at is null`
  return row ?? null
}

export async function findByProviderAgent(
  sql: Sql,
  orgId: string,
  provider: Provider,
  providerAgentId: string,
): Promise<VoiceAgentRow | null> {
  const [row] = await sql<VoiceAgentRow[]>`
    select ${columns(sql)} from voice_agents
    where org_id = ${orgId} and provider = ${provider} and provider_agent_id = ${providerAgentId}
      and deleted_at is null`
  return row ?? null
}

export async function findByAgent(
  sql: Sql,
  orgId: string,
  provider: Provider,
  agentId: string,
): Promise<VoiceAgentRow | null> {
  const [row] = await sql<VoiceAgentRow[]>`
    select ${columns(sql)} from voice_agents
    where org_id = ${orgId} and provider = ${provider} and agent_id = ${agentId} and deleted_at is null
    order by id limit 1`
  return row ?? null
}

export interface VoiceAgentView {
  id: string
  provider: Provider
  providerAgentId: string | null
  agentId: string
  agentName: string
  projectId: string
  connectionId: string | null
  ownerId: string
  ownerName: string
  lastUsedAt: string | null
  createdAt: string
}

export const listVoiceAgents = (sql: Sql, caller: Caller, id: string | null = null) => sql<VoiceAgentView[]>`
  select v.id, v.provider, v.provider_agent_id as "providerAgentId", v.agent_id as "agentId",
    w.settings ->> 'name' as "agentName", v.project_id as "projectId", v.connection_id as "connectionId",
    v.owner_id as "ownerId", (select u.name from users u where u.id = v.owner_id) as "ownerName", v.last_used_at as "lastUsedAt", v.created_at as "createdAt"
  from voice_agents v
  cross join lateral (
    select a.id, a.version from agents a where a.org_id = v.org_id and a.id = any(array[v.agent_id]) order by a.id limit 1
  ) a
  cross join lateral (
    select w.settings from agent_versions w
    where w.org_id = v.org_id and w.agent_id = any(array[a.id]) and w.version = a.version order by w.agent_id limit 1
  ) w
  cross join lateral ${projectById(sql, caller.orgId, sql`v.project_id`)} p
  where v.org_id = ${caller.orgId} and v.deleted_at is null and ${projectAccess(sql, caller)} is not null
    ${id === null ? sql`` : sql`and v.id = ${id}`}
  order by v.id`

export async function countVoiceAgents(sql: Sql, orgId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from voice_agents where org_id = ${orgId} and deleted_at is null`
  return row!.count
}

export interface NewVoiceAgent extends Omit<VoiceAgentRow, 'orgId'> {
  now: Date
}

export const insertVoiceAgent = (sql: Sql, orgId: string, agent: NewVoiceAgent) => sql`
  insert into voice_agents (org_id, id, provider, provider_agent_id, agent_id, project_id, connection_id, owner_id,
    tool_secret_hash, webhook_secret_sealed, created_at)
  values (${orgId}, ${agent.id}, ${agent.provider}, ${agent.providerAgentId}, ${agent.agentId}, ${agent.projectId},
    ${agent.connectionId}, ${agent.ownerId}, ${agent.toolSecretHash}, ${agent.webhookSecretSealed}, ${agent.now})`

export async function updateToolSecret(sql: Sql, orgId: string, id: string, hash: Buffer): Promise<boolean> {
  const { count } = await sql`
    update voice_agents set tool_secret_hash = ${hash}
    where org_id = ${orgId} and id = ${id} and deleted_at is null`
  return count === 1
}

export async function deleteVoiceAgent(sql: Sql, orgId: string, id: string, now: Date): Promise<boolean> {
  const { count } = await sql`
    update voice_agents set deleted_at = ${now}, webhook_secret_sealed = null, provider_agent_id = null
    where org_id = ${orgId} and id = ${id} and deleted_at is null`
  return count === 1
}

export const updateUsed = (sql: Sql, orgId: string, id: string, now: Date) =>
  sql`update voice_agents set last_used_at = ${now} where org_id = ${orgId} and id = ${id}`

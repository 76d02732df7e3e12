import type { EventHold } from '../../../../../contract/connections/connector-endpoint-options.ts'
import type { ConnectionStatus } from '../../../../../contract/connections/connector-options.ts'
import type { Caller } from '../../../../context.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { isProjectVisible } from '../../../projects/access/access.ts'
import type { EndpointRow } from '../queries.ts'

export type EndpointHold = Exclude<EventHold, 'budget'> | null

export interface Counts {
  received: number
  duplicates: number
  ignored: number
  rejected: number
  succeeded: number
  failed: number
  waiting: number
}

export interface EndpointView
  extends Pick<
    EndpointRow,
    | 'id'
    | 'name'
    | 'connectionId'
    | 'slug'
    | 'projectId'
    | 'agentId'
    | 'ownerId'
    | 'status'
    | 'pausedReason'
    | 'events'
    | 'sessionKey'
    | 'reply'
    | 'filter'
    | 'fields'
    | 'registration'
    | 'secretSealed'
    | 'hasProofSecret'
  > {
  orgId: string
  orgName: string
  connectionStatus: ConnectionStatus
  accountName: string | null
  projectName: string
  agentName: string
  ownerName: string
  held: EndpointHold
  registrationError: string | null
  registeredAt: string | null
  renewsAt: string | null
  secretUntil: string | null
  counts: Counts
  lastReceivedAt: string | null
  lastError: string | null
  lastErrorAt: string | null
  createdAt: string
  updatedAt: string
}

const WAITING_COUNTED_MAX = 1000
/** Operators see the delay over this many recently handled events. */
const LATENCIES = 100

/**
 * Primary key lookups. Without statistics, the planner would compare all endpoints with all connections, projects and
 * agents.
 */
const view = (sql: Sql, page: Fragment): Fragment => sql`
  select e.org_id as "orgId", e.id, e.name, e.connection_id as "connectionId", e.connector_slug as slug,
    e.project_id as "projectId", e.agent_id as "agentId", e.owner_id as "ownerId", e.status,
    e.paused_reason as "pausedReason", e.events, e.session_key as "sessionKey", e.reply, e.filter, e.fields,
    e.registration, e.registration_error as "registrationError", e.registered_at as "registeredAt",
    e.registration_due_at as "renewsAt", e.secret_sealed as "secretSealed", e.has_proof_secret as "hasProofSecret",
    e.secret_until as "secretUntil",
    e.created_at as "createdAt", e.updated_at as "updatedAt",
    (select o.name from organizations o where o.id = e.org_id) as "orgName",
    c.status as "connectionStatus", coalesce(c.account ->> 'name', c.account ->> 'email') as "accountName",
    (select p.name from projects p where p.org_id = e.org_id and p.id = any(array[e.project_id]) order by p.id limit 1
    ) as "projectName", a.name as "agentName",
    (select u.name from users u where u.id = e.owner_id) as "ownerName",
    case when e.status <> 'active' then 'endpoint' when c.status <> 'active' then 'connection'
      when a.archived_at is not null then 'agent' end as held,
    json_build_object('received', n.received, 'duplicates', n.duplicates, 'ignored', n.ignored, 'rejected', n.rejected,
      'succeeded', n.succeeded, 'failed', n.failed, 'waiting', (
        select count(*) from (
          select from connector_events v
          where v.org_id = e.org_id and v.endpoint_id = e.id and v.status = 'pending' limit ${WAITING_COUNTED_MAX}) w
      )) as counts,
    n.last_received_at as "lastReceivedAt", n.last_error as "lastError", n.last_error_at as "lastErrorAt"
  from (${page}) e
  cross join lateral (
    select c.status, c.account from connections c
    where c.org_id = e.org_id and c.id = any(array[e.connection_id]) order by c.id limit 1
  ) c
  cross join lateral (
    select a.name, a.archived_at from agents a
    where a.org_id = e.org_id and a.id = any(array[e.agent_id]) order by a.id limit 1
  ) a
  cross join lateral (
    select n.* from connector_counts n
    where n.org_id = e.org_id and n.endpoint_id = any(array[e.id]) order by n.endpoint_id limit 1
  ) n
  order by e.id desc`

export async function findEndpoint(sql: Sql, caller: Caller, id: string): Promise<EndpointView | null> {
  const endpoint = sql`
    select e.* from connector_endpoints e
    where e.org_id = ${caller.orgId} and e.id = ${id} and e.deleted_at is null and ${isVisible(sql, caller)}`
  const [row] = await sql<EndpointView[]>`${view(sql, endpoint)}`
  return row ?? null
}

const isVisible = (sql: Sql, caller: Caller): Fragment => sql`
  (e.owner_id = ${caller.userId} or ${isProjectVisible(sql, caller, sql`e.project_id`)})`

export interface EndpointFilter {
  connectionId?: string | undefined
  projectId?: string | undefined
  agentId?: string | undefined
}

interface Page {
  before: string | null
  limit: number
}

export const listEndpoints = (
  sql: Sql,
  caller: Caller,
  { connectionId, projectId, agentId }: EndpointFilter,
  { before, limit }: Page,
) => {
  const page = sql`
    select e.* from connector_endpoints e
    where e.org_id = ${caller.orgId} and e.deleted_at is null and ${isVisible(sql, caller)}
      ${connectionId ? sql`and e.connection_id = ${connectionId}` : sql``}
      ${projectId ? sql`and e.project_id = ${projectId}` : sql``}
      ${agentId ? sql`and e.agent_id = ${agentId}` : sql``}
      ${before ? sql`and e.id < ${before}` : sql``}
    order by e.id desc limit ${limit}`
  return sql<EndpointView[]>`${view(sql, page)}`
}

interface Latency {
  medianMs: number | null
  p95Ms: number | null
  events: number
}

export const listAllEndpoints = (sql: Sql, { slug, before, limit }: Page & { slug: string | undefined }) => {
  const page = sql`
    select e.* from connector_endpoints e
    where e.deleted_at is null ${slug ? sql`and e.connector_slug = any(array[${slug}])` : sql``}
      ${before ? sql`and e.id < ${before}` : sql``}
    order by ${slug ? sql`e.connector_slug,` : sql``} e.id desc limit ${limit}`
  return sql<(EndpointView & { latency: Latency })[]>`
    select v.*, (
      select json_build_object('events', count(*), 'medianMs', percentile_disc(0.5) within group (order by ms),
        'p95Ms', percentile_disc(0.95) within group (order by ms))
      from (
        select (extract(epoch from t.started_at - t.received_at) * 1000)::int as ms from connector_events t
        where t.org_id = v."orgId" and t.endpoint_id = v.id and t.status = any(array['succeeded'])
        order by t.status, t.id desc limit ${LATENCIES}
      ) l where l.ms is not null) as latency
    from (${view(sql, page)}) v order by v.id desc`
}

import type { Fragment, Sql } from '../../../../database/database.ts'
import type { NormalizedEvent } from '../../connectors/connectors.ts'

export interface EventView {
  id: string
  orgId: string
  endpointId: string
  connectorSlug: string
  eventKey: string
  externalId: string
  status: 'pending' | 'running' | 'succeeded' | 'failed' | 'ignored' | 'rejected'
  reason: string | null
  error: string | null
  attempts: number
  duplicates: number
  thread: string | null
  record: NormalizedEvent | null
  sessionId: string | null
  runId: string | null
  waitsForBudget: boolean
  reply: { id: string; status: ReplyStatus; text: string; error: string | null; sentAt: string | null } | null
  waitedMs: number | null
  durationMs: number | null
  receivedAt: string
  finishedAt: string | null
}

export type ReplyStatus = 'waiting' | 'pending' | 'sent' | 'failed' | 'unknown' | 'rejected'

/** Key lookups. Without statistics, the planner would read the whole organization. */
const columns = (sql: Sql): Fragment => sql`
  v.id, v.org_id as "orgId", v.endpoint_id as "endpointId", v.event_key as "eventKey", v.external_id as "externalId",
  v.status, v.reason, v.error, v.attempts, v.thread, v.record, v.session_id as "sessionId", v.run_id as "runId",
  v.received_at as "receivedAt", v.finished_at as "finishedAt",
  (select e.connector_slug from connector_endpoints e
    where e.org_id = v.org_id and e.id = any(array[v.endpoint_id]) order by e.id limit 1) as "connectorSlug",
  coalesce((
    select case when s.event_id = v.id then s.duplicates end from connector_seen s
    where s.org_id = v.org_id and s.endpoint_id = v.endpoint_id
      and s.external_id = any(array[coalesce(v.seen_key, v.external_id)])
    order by s.external_id limit 1), 0) as duplicates,
  (extract(epoch from v.started_at - v.received_at) * 1000)::int as "waitedMs",
  (extract(epoch from v.finished_at - v.received_at) * 1000)::int as "durationMs",
  v.status = 'running' and coalesce((
    select r.status = 'waiting' and r.wait ->> 'for' = 'budget' from runs r
    where r.org_id = v.org_id and r.id = any(array[v.run_id]) order by r.id limit 1), false) as "waitsForBudget",
  (
    select case when r.event_id = v.id then json_build_object('id', r.id, 'status', r.status, 'text', r.text, 'error', r.error, 'sentAt',
      to_char(r.sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end
    from connector_replies r where r.org_id = v.org_id and r.run_id = any(array[v.run_id]) order by r.run_id limit 1
  ) as reply`

interface Page {
  before: string | null
  limit: number
}

export const listEvents = (
  sql: Sql,
  orgId: string,
  endpointId: string,
  { status, before, limit }: Page & { status: EventView['status'] | null },
) => sql<EventView[]>`
  select ${columns(sql)} from connector_events v
  where v.org_id = ${orgId} and v.endpoint_id = ${endpointId}
    ${status ? sql`and v.status = any(array[${status}])` : sql``} ${before ? sql`and v.id < ${before}` : sql``}
  order by ${status ? sql`v.status,` : sql``} v.id desc limit ${limit}`

export async function findEvent(sql: Sql, orgId: string, endpointId: string, id: string) {
  const [row] = await sql<
    (EventView & { body: Uint8Array | null; headers: Record<string, string> | null })[]
  >`
    select ${columns(sql)}, v.body, v.headers from connector_events v
    where v.org_id = ${orgId} and v.endpoint_id = ${endpointId} and v.id = ${id}`
  return row ?? null
}

export const listAllEvents = (
  sql: Sql,
  { before, limit }: { before: readonly [receivedAt: string, id: string] | null; limit: number },
) => sql<EventView[]>`
  select ${columns(sql)} from connector_events v
  ${before ? sql`where v.received_at <= ${before[0]}::timestamptz and (v.received_at, v.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)` : sql``}
  order by v.received_at desc, v.id desc limit ${limit}`

export async function updateRetried(sql: Sql, orgId: string, endpointId: string, id: string) {
  const [row] = await sql<{ thread: string }[]>`
    update connector_events set status = 'pending', reason = null, error = null, run_id = null, started_at = null,
      finished_at = null
    where org_id = ${orgId} and endpoint_id = ${endpointId} and id = ${id} and status = 'failed' and thread is not null
    returning thread`
  return row ?? null
}

const COUNTED_MAX = 1000

/** Only for broken connections, at most 1000 per endpoint. */
export async function countHeld(
  sql: Sql,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: string; count: number }[]>`
    select c.id, sum(held.count)::int as count from connections c
    join connector_endpoints e on e.org_id = c.org_id and e.connection_id = c.id and e.deleted_at is null
    cross join lateral (
      select count(*) from (
        select from connector_events v
        where v.org_id = e.org_id and v.endpoint_id = e.id and v.status = 'pending' limit ${COUNTED_MAX}) v
    ) held
    where c.org_id = ${orgId} and c.id = any(${ids as string[]}::uuid[]) and c.status <> 'active'
    group by c.id`
  return new Map(rows.map(({ id, count }) => [id, count]))
}

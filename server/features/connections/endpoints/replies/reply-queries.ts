import type { Sql } from '../../../../database/database.ts'
import type { OrganizationClaim } from '../../../../jobs/organization-loop.ts'
import { currentTraceparent } from '../../../../observability/tracing.ts'
import type { NormalizedEvent } from '../../connectors/connectors.ts'

export interface EndedEvent {
  endpointId: string
  id: string
  record: NormalizedEvent
  reply: 'auto' | 'approve' | 'off'
  connectorSlug: string
}

/** The events whose messages a run has answered, locked; in the order of their arrival. */
export const lockRunning = (sql: Sql, orgId: string, runId: string) => sql<EndedEvent[]>`
  select v.endpoint_id as "endpointId", v.id, v.record, e.reply, e.connector_slug as "connectorSlug"
  from connector_events v join connector_endpoints e on e.org_id = v.org_id and e.id = v.endpoint_id
  where v.org_id = ${orgId} and v.run_id = ${runId} and v.status = 'running'
  order by v.id for update of v`

export const updateEnded = (
  sql: Sql,
  orgId: string,
  runId: string,
  {
    status,
    reason,
    error,
    now,
  }: { status: 'succeeded' | 'failed'; reason: string | null; error: string | null; now: Date },
) => sql`
  update connector_events set status = ${status}, reason = ${reason}, error = ${error}, finished_at = ${now}
  where org_id = ${orgId} and run_id = ${runId} and status = 'running'`

export interface NewReply {
  id: string
  endpointId: string
  eventId: string
  runId: string
  status: 'waiting' | 'pending'
  text: string
  now: Date
}

/** A run has one reply. */
export const insertReply = (sql: Sql, orgId: string, reply: NewReply) => sql`
  insert into connector_replies (org_id, id, endpoint_id, event_id, run_id, status, text, due_at, created_at, trace)
  values (${orgId}, ${reply.id}, ${reply.endpointId}, ${reply.eventId}, ${reply.runId}, ${reply.status}, ${reply.text},
    ${reply.status === 'pending' ? reply.now : null}, ${reply.now}, ${currentTraceparent()})
  on conflict (org_id, run_id) do nothing`

export interface ClaimedReply {
  orgId: string
  id: string
  endpointId: string
  connectionId: string
  connectorSlug: string
  lease: number
  text: string
  partsSent: number
  /** A request whose result is not known, because its process was killed. */
  sendingPart: number | null
  attempts: number
  record: NormalizedEvent
  /** The trace of the run whose answer it is. */
  trace: string | null
}

/** Claims replies that are due, in turns between organizations. Those of a connection that does not work wait. */
export const claimReplies = (
  sql: Sql,
  { running, perOrganization, limit, now, leasedUntil }: OrganizationClaim,
) => sql<ClaimedReply[]>`
  with recursive busy as (
    select * from jsonb_to_recordset(${sql.json(running as never)}) as b ("orgId" uuid, count int)
  ), orgs as (
    (select org_id from connector_replies where due_at is not null order by org_id limit 1)
    union all
    select (
      select r.org_id from connector_replies r where r.due_at is not null and r.org_id > o.org_id order by r.org_id limit 1)
    from orgs o where o.org_id is not null
  ), due as (
    select d.*, row_number() over (partition by d.org_id order by d.due_at) as turn
    from orgs o left join busy b on b."orgId" = o.org_id
    cross join lateral (
      select r.org_id, r.id, r.due_at, e.connection_id, e.connector_slug from connector_replies r
      join connector_endpoints e on e.org_id = r.org_id and e.id = r.endpoint_id and e.deleted_at is null
      join connections c on c.org_id = e.org_id and c.id = e.connection_id and c.status = 'active' and c.deleted_at is null
      where r.org_id = o.org_id and r.due_at <= ${now}
      order by r.due_at limit greatest(0, ${perOrganization}::int - coalesce(b.count, 0)) for update of r skip locked
    ) d
    where o.org_id is not null
  ), chosen as (
    select * from due order by turn, due_at limit ${limit}
  ), leased as (
    update connector_replies r set lease = r.lease + 1, due_at = ${leasedUntil}, attempts = r.attempts + 1 from chosen c
    where r.org_id = c.org_id and r.id = c.id
    returning r.*, c.connection_id, c.connector_slug
  )
  select l.org_id as "orgId", l.id, l.endpoint_id as "endpointId", l.connection_id as "connectionId",
    l.connector_slug as "connectorSlug", l.lease, l.text, l.parts_sent as "partsSent", l.sending_part as "sendingPart",
    l.attempts, v.record, l.trace
  from leased l join connector_events v on v.org_id = l.org_id and v.endpoint_id = l.endpoint_id and v.id = l.event_id`

/** Marks a part before its request is sent: a killed process leaves the mark. False if another worker has the reply. */
export async function markSending(
  sql: Sql,
  orgId: string,
  { id, lease }: Pick<ClaimedReply, 'id' | 'lease'>,
  part: number,
): Promise<boolean> {
  const { count } = await sql`
    update connector_replies set sending_part = ${part}
    where org_id = ${orgId} and id = ${id} and lease = ${lease} and status = 'pending'`
  return count === 1
}

export const updatePartSent = (
  sql: Sql,
  orgId: string,
  { id, lease }: Pick<ClaimedReply, 'id' | 'lease'>,
  partsSent: number,
) => sql`
  update connector_replies set parts_sent = ${partsSent}, sending_part = null
  where org_id = ${orgId} and id = ${id} and lease = ${lease}`

/** Releases all leases when the only process on the database starts: a later due time without an error is a lease. */
export const releaseOrphanedReplies = (sql: Sql, now: Date) => sql`
  update connector_replies set due_at = ${now}, lease = lease + 1
  where due_at > ${now} and status = 'pending' and error is null`

export interface ReplyEnd {
  status: 'sent' | 'failed' | 'unknown' | 'pending'
  error: string | null
  /** When it is tried again. */
  dueAt: Date | null
  now: Date
}

export const updateReply = (
  sql: Sql,
  orgId: string,
  { id, lease }: Pick<ClaimedReply, 'id' | 'lease'>,
  { status, error, dueAt, now }: ReplyEnd,
) => sql`
  update connector_replies set status = ${status}, error = ${error}, due_at = ${dueAt}, sending_part = null,
    sent_at = case when ${status} = 'sent' then ${now}::timestamptz end
  where org_id = ${orgId} and id = ${id} and lease = ${lease}`

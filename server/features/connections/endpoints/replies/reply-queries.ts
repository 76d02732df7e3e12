import type { Sql } from '../../../../database/database.ts'
import { claimFairly, type OrganizationClaim, type Queue } from '../../../../jobs/claim-fairly.ts'
import { currentTraceparent } from '../../../../observability/tracing.ts'
import type { NormalizedEvent } from '../../connectors/connectors.ts'

export interface EndedEvent {
  endpointId: string
  id: string
  record: NormalizedEvent
  reply: 'auto' | 'approve' | 'off'
  connectorSlug: string
}

/** In arrival order. */
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
  /** With an unknown result, because its process was killed. */
  sendingPart: number | null
  attempts: number
  record: NormalizedEvent
  trace: string | null
}

export const REPLIES_QUEUE: Queue = { table: 'connector_replies', key: ['id'], indexedBy: 'org_id' }

/** Replies wait while their connection doesn't work. */
export const claimReplies = (sql: Sql, claim: OrganizationClaim) => sql<ClaimedReply[]>`
  with leased as (${claimFairly(sql, REPLIES_QUEUE, claim, {
    where: sql`exists (
      select from connector_endpoints e
      join connections c on c.org_id = e.org_id and c.id = e.connection_id and c.status = 'active' and c.deleted_at is null
      where e.org_id = t.org_id and e.id = t.endpoint_id and e.deleted_at is null offset 0)`,
    lease: sql`lease = t.lease + 1, due_at = ${claim.leasedUntil}, attempts = t.attempts + 1`,
    returning: sql`t.*`,
  })})
  select l.org_id as "orgId", l.id, l.endpoint_id as "endpointId", e.connection_id as "connectionId",
    e.connector_slug as "connectorSlug", l.lease, l.text, l.parts_sent as "partsSent", l.sending_part as "sendingPart",
    l.attempts, v.record, l.trace
  from leased l
  join connector_endpoints e on e.org_id = l.org_id and e.id = l.endpoint_id
  join connector_events v on v.org_id = l.org_id and v.endpoint_id = l.endpoint_id and v.id = l.event_id`

/** A killed process leaves the mark. False if another worker has the reply. */
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

/** When the only process on the database starts, a later due time without an error is a lease. */
export const releaseOrphanedReplies = (sql: Sql, now: Date) => sql`
  update connector_replies set due_at = ${now}, lease = lease + 1
  where due_at > ${now} and status = 'pending' and error is null`

export interface ReplyEnd {
  status: 'sent' | 'failed' | 'unknown' | 'pending'
  error: string | null
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

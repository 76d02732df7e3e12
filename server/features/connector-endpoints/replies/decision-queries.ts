import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { projectAccess } from '../../project-access/project-access.ts'

export interface ReplyView {
  id: string
  status: 'waiting' | 'pending' | 'sent' | 'failed' | 'unknown' | 'rejected'
  text: string
  error: string | null
  sentAt: string | null
  partsSent: number
  endpointId: string
  endpointName: string
  connectorSlug: string
  projectId: string
  sessionId: string | null
  runId: string
  eventId: string
  actorName: string | null
  eventText: string | null
  thread: string
  access: 'view' | 'edit'
  createdAt: string
}

/** A revoked connection ends its replies at once; a job removes their rows later. */
const view = (sql: Sql, caller: Caller): Fragment => sql`
  select r.id, r.status, r.text, r.error, r.sent_at as "sentAt", r.parts_sent as "partsSent",
    r.endpoint_id as "endpointId", e.name as "endpointName", e.connector_slug as "connectorSlug",
    e.project_id as "projectId", v.session_id as "sessionId", r.run_id as "runId", r.event_id as "eventId",
    v.record -> 'actor' ->> 'name' as "actorName", v.record ->> 'text' as "eventText", v.thread, a.access,
    r.created_at as "createdAt"
  from connector_replies r
  join connector_endpoints e on e.org_id = r.org_id and e.id = r.endpoint_id and e.deleted_at is null
  join connections c on c.org_id = e.org_id and c.id = e.connection_id and c.deleted_at is null
  join connector_events v on v.org_id = r.org_id and v.endpoint_id = r.endpoint_id and v.id = r.event_id
  join projects p on p.org_id = e.org_id and p.id = e.project_id and p.deleted_at is null,
    lateral (select ${projectAccess(sql, caller)} as access) a`

export const listReplies = (
  sql: Sql,
  caller: Caller,
  { status, before, limit }: { status: ReplyView['status']; before: string | null; limit: number },
) => sql<ReplyView[]>`
  ${view(sql, caller)}
  where r.org_id = ${caller.orgId} and r.status = ${status} and a.access is not null
    ${before ? sql`and r.id < ${before}` : sql``}
  order by r.id desc limit ${limit}`

/** The reply if the caller sees the project of its endpoint. */
export async function findReply(sql: Sql, caller: Caller, id: string): Promise<ReplyView | null> {
  const [row] = await sql<ReplyView[]>`
    ${view(sql, caller)} where r.org_id = ${caller.orgId} and r.id = ${id} and a.access is not null`
  return row ?? null
}

interface Decision {
  status: 'pending' | 'rejected'
  from: readonly ReplyView['status'][]
  text: string | undefined
  by: string
  now: Date
}

/** False if it was decided in between. */
export async function updateDecided(
  sql: Sql,
  orgId: string,
  id: string,
  { status, from, text, by, now }: Decision,
): Promise<boolean> {
  const { count } = await sql`
    update connector_replies set status = ${status}, text = coalesce(${text ?? null}, text), decided_by = ${by},
      decided_at = ${now}, error = null, sending_part = null, attempts = 0, lease = lease + 1,
      due_at = ${status === 'pending' ? now : null}
    where org_id = ${orgId} and id = ${id} and status = any(${from as string[]})`
  return count === 1
}

import type { connectorEndpoints } from '../../../../../contract/connections/connector-endpoints.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { conflict, forbidden, notFound, raise } from '../../../../errors.ts'
import { isProjectVisible, projectAccess, projectById } from '../../../projects/access/access.ts'
import { wakeReplyWorkers } from './conclude-run.ts'

export async function readReplies(
  ctx: Context<'vault'>,
  { limit, cursor, status }: InputOf<typeof connectorEndpoints.replies>,
) {
  const list = `connector replies ${ctx.caller.orgId} ${ctx.caller.userId} ${status}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listReplies(ctx.sql, ctx.caller, { status, before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, (row) => ({
    ...replyOf(row),
    endpointId: row.endpointId,
    endpointName: row.endpointName,
    connectorSlug: row.connectorSlug,
    projectId: row.projectId,
    sessionId: row.sessionId,
    runId: row.runId,
    event: { id: row.eventId, actorName: row.actorName, text: row.eventText, thread: row.thread },
    canDecide: row.access === 'edit',
    createdAt: row.createdAt,
  }))
}

/** Also resends a reply that failed or has an unknown result. */
const SENDABLE = ['waiting', 'failed', 'unknown'] as const
const REJECTABLE = ['waiting'] as const

export const approveReply = (ctx: Context, { id, text }: InputOf<typeof connectorEndpoints.approveReply>) =>
  decide(ctx, id, { status: 'pending', from: SENDABLE, text })

export const rejectReply = (ctx: Context, { id }: InputOf<typeof connectorEndpoints.rejectReply>) =>
  decide(ctx, id, { status: 'rejected', from: REJECTABLE, text: undefined })

interface Decision {
  status: 'pending' | 'rejected'
  from: readonly ReplyView['status'][]
  text: string | undefined
}

const decide = (ctx: Context, id: string, { status, from, text }: Decision) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const reply = (await findReply(sql, caller, id)) ?? raise(notFound('Reply'))
    if (reply.access !== 'edit')
      throw forbidden('You have view-only access to this project', { reason: 'view_only' })
    if (text !== undefined && reply.partsSent > 0)
      throw conflict('Part of this reply was already sent: its text can’t change')
    const now = ctx.now()
    const isDecided = await updateDecided(sql, caller.orgId, id, {
      status,
      from,
      text,
      by: caller.userId,
      now,
    })
    if (!isDecided) throw conflict(`This reply cannot be decided: its status is ${reply.status}`)
    await recordAudit(inside, {
      action: 'connector-reply.decided',
      by: caller,
      target: id,
      details: { decision: status === 'pending' ? 'approved' : 'rejected', endpoint: reply.endpointName },
    })
    if (status === 'pending') wakeReplyWorkers(sql)
    return replyOf((await findReply(sql, caller, id)) ?? raise(notFound('Reply')))
  })

const replyOf = ({ id, status, text, error, sentAt }: ReplyView) => ({ id, status, text, error, sentAt })

interface ReplyView {
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

/** For the endpoint `e`. A revoked connection ends its replies immediately, and a job removes their rows later. */
const connection = (sql: Sql): Fragment => sql`(
  select c.id from connections c
  where c.org_id = e.org_id and c.id = any(array[e.connection_id]) and c.deleted_at is null order by c.id limit 1)`

/** Primary key lookups, even without statistics. */
const view = (sql: Sql, caller: Caller, page: Fragment): Fragment => sql`
  select r.id, r.status, r.text, r.error, r.sent_at as "sentAt", r.parts_sent as "partsSent",
    r.endpoint_id as "endpointId", e.name as "endpointName", e.connector_slug as "connectorSlug",
    e.project_id as "projectId", v.session_id as "sessionId", r.run_id as "runId", r.event_id as "eventId",
    v.record -> 'actor' ->> 'name' as "actorName", v.record ->> 'text' as "eventText", v.thread, a.access,
    r.created_at as "createdAt"
  from (${page}) r
  cross join lateral (
    select e.* from connector_endpoints e
    where e.org_id = r.org_id and e.id = any(array[r.endpoint_id]) and e.deleted_at is null order by e.id limit 1
  ) e
  cross join lateral ${connection(sql)} c
  cross join lateral (
    select v.* from connector_events v
    where v.org_id = r.org_id and v.endpoint_id = r.endpoint_id and v.id = any(array[r.event_id]) order by v.id limit 1
  ) v
  cross join lateral ${projectById(sql, caller.orgId, sql`e.project_id`)} p
  cross join lateral (select ${projectAccess(sql, caller)} as access) a
  where p.deleted_at is null and a.access is not null
  order by r.id desc`

/** Newest first, by visible endpoint: otherwise a caller who sees few would read all replies for one page. */
const listReplies = (
  sql: Sql,
  caller: Caller,
  { status, before, limit }: { status: ReplyView['status']; before: string | null; limit: number },
) => {
  const newest = (endpoint: Fragment, count: number) => sql`
    select r.id from connector_replies r
    where r.org_id = ${caller.orgId} and r.endpoint_id = any(array[${endpoint}]) and r.status = any(array[${status}])
      ${before ? sql`and r.id < ${before}` : sql``}
    order by r.endpoint_id, r.status, r.id desc limit ${count}`
  const page = sql`
    select r.* from (
      select n.id from (
        select e.id as endpoint_id from (
          select e.org_id, e.id, e.project_id, e.connection_id from connector_endpoints e
          where e.org_id = ${caller.orgId} and e.deleted_at is null order by e.id offset 0
        ) e cross join lateral (${newest(sql`e.id`, 1)}) n cross join lateral ${connection(sql)} c
        where ${isProjectVisible(sql, caller, sql`e.project_id`)}
        order by n.id desc limit ${limit}
      ) e cross join lateral (${newest(sql`e.endpoint_id`, limit)}) n
      order by n.id desc limit ${limit}
    ) n cross join lateral (
      select r.* from connector_replies r where r.org_id = ${caller.orgId} and r.id = any(array[n.id]) order by r.id limit 1
    ) r`
  return sql<ReplyView[]>`${view(sql, caller, page)}`
}

async function findReply(sql: Sql, caller: Caller, id: string): Promise<ReplyView | null> {
  const reply = sql`select r.* from connector_replies r where r.org_id = ${caller.orgId} and r.id = ${id}`
  const [row] = await sql<ReplyView[]>`${view(sql, caller, reply)}`
  return row ?? null
}

interface StoredDecision {
  status: 'pending' | 'rejected'
  from: readonly ReplyView['status'][]
  text: string | undefined
  by: string
  now: Date
}

/** Returns false if decided meanwhile. */
async function updateDecided(
  sql: Sql,
  orgId: string,
  id: string,
  { status, from, text, by, now }: StoredDecision,
): Promise<boolean> {
  const { count } = await sql`
    update connector_replies set status = ${status}, text = coalesce(${text ?? null}, text), decided_by = ${by},
      decided_at = ${now}, error = null, sending_part = null, attempts = 0, lease = lease + 1,
      due_at = ${status === 'pending' ? now : null}
    where org_id = ${orgId} and id = ${id} and status = any(${from as string[]})`
  return count === 1
}

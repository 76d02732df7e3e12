import type { connectorEndpoints } from '../../../../../contract/connections/connector-endpoints.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { conflict, forbidden, notFound, raise } from '../../../../errors.ts'
import { wakeReplyWorkers } from './conclude-run.ts'
import { findReply, listReplies, type ReplyView, updateDecided } from './decision-queries.ts'

export async function readReplies(
  ctx: Context,
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

/** An approval also sends a reply again that failed or whose result is unknown. */
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
      throw conflict('A part of this reply has been sent: its text cannot change')
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

import type { z } from 'zod'
import type { InputOf } from '../../../contract/endpoint.ts'
import { FEEDBACK_STATUS, type FeedbackItem, type feedback } from '../../../contract/feedback.ts'
import type { Caller, Context } from '../../context.ts'
import { reply } from '../../endpoint/route.ts'
import { conflict, forbidden, notFound, raise, stale } from '../../errors.ts'
import { addJob } from '../../jobs/job.ts'
import { newId } from '../../security/ids.ts'
import { announceSubmission } from './notify.ts'
import type { FeedbackRow } from './queries.ts'
import * as queries from './queries.ts'

/** `total` counts at most this many beyond a page. */
const COUNTED_AHEAD = 1000

/** A repeated idempotency key returns 200 with the first submission. */
export async function submit(ctx: Context, input: InputOf<typeof feedback.submit>) {
  const { orgId, userId } = ctx.caller
  const { message, metadata = {}, idempotencyKey = null } = input
  const id = newId()
  const job = addJob(ctx.sql, announceSubmission, { orgId, id })
  const item = { id, message, metadata, idempotencyKey, now: ctx.now() }
  const created = await queries.insertSubmission(ctx.sql, orgId, userId, item, job)
  if (created) return present(created)
  const first = await queries.findByIdempotencyKey(ctx.sql, orgId, userId, idempotencyKey!)
  return reply(present(first ?? raise(notFound('Feedback'))), { status: 200 })
}

export async function list(ctx: Context, { limit, offset }: InputOf<typeof feedback.list>) {
  const { orgId, userId } = ctx.caller
  const rows = await queries.listSubmissions(ctx.sql, orgId, userId, limit + 1, offset)
  // The last page gives the total without a count, and most users have only one.
  const isLastPage = rows.length <= limit && (rows.length > 0 || offset === 0)
  const total = isLastPage
    ? offset + rows.length
    : await queries.countSubmissions(ctx.sql, orgId, userId, offset + limit + COUNTED_AHEAD)
  const page = rows.length > limit ? rows.slice(0, limit) : rows
  return { items: page.map(present), total, limit, offset }
}

export async function edit(ctx: Context, { id, message, ifMatch }: InputOf<typeof feedback.edit>) {
  const { orgId, userId } = ctx.caller
  const change = { id, message, version: ifMatch, now: ctx.now() }
  const edited = await queries.updateMessage(ctx.sql, orgId, userId, change)
  if (edited) return reply(present(edited), { version: edited.version })
  const item = await queries.findSubmission(ctx.sql, orgId, id)
  if (item?.userId !== userId) throw notFound('Feedback')
  throw item.status === 'open'
    ? stale()
    : conflict('This submission is already being handled and can no longer be edited')
}

export async function get(ctx: Context, { id }: InputOf<typeof feedback.get>) {
  const item = await findReadable(ctx, id)
  return reply(present(item), { version: item.version })
}

export async function findReadable(ctx: Context, id: string): Promise<FeedbackRow> {
  const { caller } = ctx
  const item =
    (await queries.findSubmission(ctx.sql, caller.orgId, id)) ??
    (seesAllOrganizations(caller) ? await queries.findAnywhere(ctx.sql, id) : null) ??
    raise(notFound('Feedback'))
  if (item.userId === caller.userId || caller.role !== 'member' || caller.operator) return item
  throw forbidden('Only the submitter and admins can view this submission')
}

/** API keys are bound to one organization, so operators see others only in the browser. */
const seesAllOrganizations = (caller: Caller) => caller.operator && caller.via === 'session'

export function present(row: FeedbackRow): z.output<typeof FeedbackItem> {
  const { id, message, metadata, status, taskId, commentCount, createdAt, updatedAt } = row
  return {
    id,
    message,
    metadata,
    status,
    publicStatus: FEEDBACK_STATUS[status],
    commentCount,
    taskId,
    editable: status === 'open',
    createdAt,
    updatedAt,
  }
}

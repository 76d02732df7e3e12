import type { InputOf } from '../../../contract/endpoint.ts'
import type { feedback } from '../../../contract/feedback.ts'
import type { Caller, Context } from '../../context.ts'
import { cursorPage, decodeCursor } from '../../database/cursor.ts'
import { addJob } from '../../jobs/job.ts'
import { newId } from '../../security/ids.ts'
import { announceComment } from './notify.ts'
import { findReadable } from './submissions.ts'
import * as queries from './thread-queries.ts'

export async function readThread(
  ctx: Context<'vault'>,
  { id, limit, cursor }: InputOf<typeof feedback.comments>,
) {
  const item = await findReadable(ctx, id)
  const list = `comments ${item.orgId} ${id}`
  const after = decodeCursor(ctx.vault, list, cursor)
  const rows = await queries.listComments(ctx.sql, item.orgId, id, after, limit + 1)
  return cursorPage(ctx.vault, list, limit, rows, present)
}

export async function addComment(ctx: Context, { id: feedbackId, body }: InputOf<typeof feedback.comment>) {
  const { orgId } = await findReadable(ctx, feedbackId)
  const id = newId()
  const job = addJob(ctx.sql, announceComment, { orgId, feedbackId, id })
  const authorRole = roleIn(orgId, ctx.caller)
  const comment = { id, authorId: ctx.caller.userId, authorRole, body, now: ctx.now() }
  return present(await queries.insertComment(ctx.sql, orgId, feedbackId, comment, job))
}

const roleIn = (orgId: string, caller: Caller): queries.CommentRow['authorRole'] =>
  caller.orgId === orgId ? caller.role : 'operator'

const present = ({
  id,
  feedbackId,
  authorId,
  authorName,
  authorRole,
  body,
  createdAt,
}: queries.CommentRow) => ({
  id,
  feedbackId,
  author: { id: authorId, name: authorName, role: authorRole },
  body,
  createdAt,
})

import { COMMENT_LIMITS, mentionsIn } from '../../../../contract/comments/comment-options.ts'
import type { comments } from '../../../../contract/comments/comments.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { PublishedEventType } from '../../../../contract/webhooks/event-types.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { badField, conflict, forbidden, notFound } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import { newId } from '../../../security/ids.ts'
import { notifyProject } from '../../../streams/notify.ts'
import { notifyOfMentions, notifyOfReply } from './notices.ts'
import * as queries from './queries.ts'
import { type CommentRow, commentRights, present, type Target } from './records.ts'
import { findTarget, findTargetById, isOnTarget, listReaders, type Reader } from './target.ts'

export const create = (ctx: Context<'mail' | 'vault'>, input: InputOf<typeof comments.create>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { orgId, userId, share } = caller
    const target = await findTarget(inside, input, 'body')
    if (share && input.name === undefined) throw badField('body.name', 'is required for guests')
    if (!share && input.name !== undefined)
      throw badField('body.name', 'must be absent: only guests enter a name')
    const parent = input.parentId === undefined ? null : await lockThread(inside, target, input.parentId)
    if (await queries.hasComments(sql, orgId, target, COMMENT_LIMITS.perTarget)) throw targetFull(target)
    const mentioned = await readMentions(inside, target, input.body)
    const row = await queries.insertComment(sql, orgId, target, {
      id: newId(),
      parentId: parent?.id ?? null,
      authorId: share ? null : userId,
      guestName: input.name ?? null,
      body: input.body,
      mentions: mentioned.map(({ id }) => id),
      now: ctx.now(),
    })
    if (parent && parent.resolvedAt !== null) {
      await queries.updateResolved(sql, orgId, parent.id, null, ctx.now())
      await announce(inside, 'comment.reopened', target, parent)
    }
    await announce(inside, 'comment.created', target, row)
    await notifyOfMentions(inside, target, row, mentioned)
    if (parent) await notifyOfReply(inside, target, row, mentioned)
    return present(caller, target, row)
  })

/** The thread must not be deleted before the reply exists. */
async function lockThread({ sql, caller }: Context, target: Target, id: string): Promise<CommentRow> {
  const parent = await queries.lockComment(sql, caller.orgId, id)
  if (!parent || !isOnTarget(parent, target))
    throw badField('body.parentId', 'must be a comment on the same target')
  if (parent.parentId !== null)
    throw badField('body.parentId', 'must be a thread’s first comment, not a reply')
  return parent
}

const targetFull = ({ type }: Target) =>
  conflict(
    `This ${type} has ${COMMENT_LIMITS.perTarget.toLocaleString('en-US')} comments, the maximum: delete some first`,
  )

export const update = (
  ctx: Context<'mail' | 'vault'>,
  { id, body, resolved }: InputOf<typeof comments.update>,
) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { orgId, userId } = caller
    const { row, target } = await lockVisibleComment(inside, id)
    const rights = commentRights(caller, target, row)
    if (body !== undefined) {
      if (!rights.canEdit) throw notAuthor()
      const mentioned = await readMentions(inside, target, body)
      const mentions = mentioned.map((reader) => reader.id)
      await queries.updateBody(sql, orgId, id, { body, mentions, now: ctx.now() })
      await notifyOfMentions(inside, target, { ...row, body, mentions: mentioned }, mentioned)
      await announce(inside, 'comment.updated', target, row)
    }
    if (resolved !== undefined) {
      if (row.parentId !== null)
        throw badField('body.resolved', 'must be absent for a reply: resolve its thread’s first comment')
      if (!rights.canResolve)
        throw forbidden(
          'Only the thread’s author and members who can edit its target can resolve and reopen it',
          { reason: 'not_author' },
        )
      if (resolved !== (row.resolvedAt !== null)) {
        await queries.updateResolved(sql, orgId, id, resolved ? userId : null, ctx.now())
        await announce(inside, resolved ? 'comment.resolved' : 'comment.reopened', target, row)
      }
    }
    return present(caller, target, (await queries.findComment(sql, orgId, id))!)
  })

export const remove = (ctx: Context, { id }: InputOf<typeof comments.remove>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { row, target } = await lockVisibleComment(inside, id)
    if (!commentRights(caller, target, row).canDelete) throw notAuthor()
    await queries.deleteComment(sql, caller.orgId, row, ctx.now())
    await recordAudit(inside, {
      action: 'comment.deleted',
      by: caller,
      target: id,
      details: { target: `${row.targetType}:${row.targetId}`, author: row.authorName },
    })
    await announce(inside, 'comment.deleted', target, row)
    return { deleted: true as const }
  })

/** NOT_FOUND if the caller can't see the target, CONFLICT if deleted. */
async function lockVisibleComment(ctx: Context, id: string): Promise<{ row: CommentRow; target: Target }> {
  const row = await queries.lockComment(ctx.sql, ctx.caller.orgId, id)
  const target = row && (await findTargetById(ctx, row.targetType, row.targetId, row.projectId))
  if (!row || !target) throw notFound('Comment')
  if (row.deletedAt !== null) throw conflict('This comment was deleted')
  return { row, target }
}

const notAuthor = () =>
  forbidden(
    'Only the author can edit a comment, and only the author and members who can edit its target can delete it',
    {
      reason: 'not_author',
    },
  )

/** Refuses mentions by guests, and of members who can't see the target. */
async function readMentions({ sql, caller }: Context, target: Target, body: string): Promise<Reader[]> {
  const ids = mentionsIn(body)
  if (ids.length === 0) return []
  if (caller.share) throw badField('body.body', 'must not mention members: guests cannot mention')
  if (ids.length > COMMENT_LIMITS.mentions)
    throw badField('body.body', `must mention at most ${COMMENT_LIMITS.mentions} members`)
  const readers = await listReaders(sql, caller.orgId, target, ids)
  const missing = ids.filter((id) => !readers.some((reader) => reader.id === id))
  if (missing.length > 0)
    throw badField(
      'body.body',
      `must mention only members who can see the ${target.type}: not ${missing.join(', ')}`,
    )
  return [...readers]
}

type CommentEvent = Extract<PublishedEventType, `comment.${string}`>

/** Also makes open dashboards reload the thread. */
async function announce(
  ctx: Context,
  type: CommentEvent,
  target: Target,
  comment: { id: string; parentId: string | null },
): Promise<void> {
  const { orgId, userId, share } = ctx.caller
  const name = `${target.type}:${target.id}`
  await publish(ctx, {
    type,
    data: {
      commentId: comment.id,
      parentId: comment.parentId,
      target: name,
      projectId: target.projectId,
      by: share ? null : userId,
    },
  })
  if (target.projectId !== null)
    notifyProject(ctx.sql, orgId, target.projectId, { kind: 'comments', target: name })
}

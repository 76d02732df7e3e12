import type { comments } from '../../../../contract/comments/comments.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { notFound, raise } from '../../../errors.ts'
import { findProject } from '../../projects/projects/projects.ts'
import * as queries from './list-queries.ts'
import { present, type Target } from './records.ts'
import { findTarget, findTargetById, isOnTarget } from './target.ts'
import { searchReaders } from './target-queries.ts'

export async function list(ctx: Context, input: InputOf<typeof comments.list>) {
  const { sql, caller, vault } = ctx
  const { state, parentId, limit, cursor } = input
  const target = await findTarget(ctx, input, 'query')
  const name = `comments ${caller.orgId} ${target.type} ${target.id} ${target.projectId} ${parentId ?? state}`
  const page = { after: decodeCursor(vault, name, cursor), limit: limit + 1 }
  if (parentId !== undefined) await requireThread(ctx, target, parentId)
  const rows = parentId
    ? await queries.listReplies(sql, caller.orgId, parentId, page)
    : await queries.listThreads(sql, caller.orgId, target, { ...page, state })
  const shown = rows.slice(0, limit)
  const withReplies = await presentThreads(ctx, target, shown)
  return cursorPage(vault, name, limit, rows, ({ id }) => withReplies.get(id)!)
}

async function requireThread(ctx: Context, target: Target, id: string): Promise<void> {
  const row = await queries.findThread(ctx.sql, ctx.caller.orgId, id)
  if (row?.parentId !== null || !isOnTarget(row, target)) throw notFound('Thread')
}

async function presentThreads({ sql, caller }: Context, target: Target, rows: queries.ThreadRow[]) {
  const threadIds = rows.filter(({ replyCount }) => replyCount > 0).map(({ id }) => id)
  const replies = threadIds.length ? await queries.listNewestReplies(sql, caller.orgId, threadIds) : []
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...present(caller, target, row),
        replyCount: row.replyCount,
        replies: replies
          .filter(({ parentId }) => parentId === row.id)
          .map((reply) => present(caller, target, reply)),
      },
    ]),
  )
}

export async function get(ctx: Context, { id }: InputOf<typeof comments.get>) {
  const row = (await queries.findThread(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Comment'))
  const target =
    (await findTargetById(ctx, row.targetType, row.targetId, row.projectId)) ?? raise(notFound('Comment'))
  return (await presentThreads(ctx, target, [row])).get(id)!
}

export async function count(ctx: Context, { projectId }: InputOf<typeof comments.counts>) {
  const { orgId, id } = await findProject(ctx, projectId)
  return { items: [...(await queries.countOpen(ctx.sql, orgId, id))] }
}

export async function findPeople(ctx: Context, input: InputOf<typeof comments.people>) {
  const target = await findTarget(ctx, input, 'query')
  return { items: [...(await searchReaders(ctx.sql, ctx.caller.orgId, target, input.search))] }
}

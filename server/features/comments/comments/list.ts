import { COMMENT_LIMITS } from '../../../../contract/comments/comment-options.ts'
import type { comments } from '../../../../contract/comments/comments.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { type CommentRow, columns, present, type Target } from './records.ts'
import { findTarget, findTargetById, isOnTarget, searchReaders } from './target.ts'

export async function list(ctx: Context<'vault'>, input: InputOf<typeof comments.list>) {
  const { sql, caller, vault } = ctx
  const { state, parentId, limit, cursor } = input
  const target = await findTarget(ctx, input, 'query')
  const name = `comments ${caller.orgId} ${target.type} ${target.id} ${target.projectId} ${parentId ?? state}`
  const page = { after: decodeCursor(vault, name, cursor), limit: limit + 1 }
  if (parentId !== undefined) await requireThread(ctx, target, parentId)
  const rows = parentId
    ? await listReplies(sql, caller.orgId, parentId, page)
    : await listThreads(sql, caller.orgId, target, { ...page, state })
  const shown = rows.slice(0, limit)
  const withReplies = await presentThreads(ctx, target, shown)
  return cursorPage(vault, name, limit, rows, ({ id }) => withReplies.get(id)!)
}

async function requireThread(ctx: Context, target: Target, id: string): Promise<void> {
  const row = await findThread(ctx.sql, ctx.caller.orgId, id)
  if (row?.parentId !== null || !isOnTarget(row, target)) throw notFound('Thread')
}

async function presentThreads({ sql, caller }: Context, target: Target, rows: ThreadRow[]) {
  const threadIds = rows.filter(({ replyCount }) => replyCount > 0).map(({ id }) => id)
  const replies = threadIds.length ? await listNewestReplies(sql, caller.orgId, threadIds) : []
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
  const row = (await findThread(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Comment'))
  const target =
    (await findTargetById(ctx, row.targetType, row.targetId, row.projectId)) ?? raise(notFound('Comment'))
  return (await presentThreads(ctx, target, [row])).get(id)!
}

export async function count(ctx: Context, { projectId }: InputOf<typeof comments.counts>) {
  const { orgId, id } = await findProject(ctx, projectId)
  return { items: [...(await countOpen(ctx.sql, orgId, id))] }
}

export async function findPeople(ctx: Context, input: InputOf<typeof comments.people>) {
  const target = await findTarget(ctx, input, 'query')
  return { items: [...(await searchReaders(ctx.sql, ctx.caller.orgId, target, input.search))] }
}

interface ThreadRow extends CommentRow {
  replyCount: number
}

interface Page {
  after: string | null
  limit: number
}

/** Oldest first. */
const listThreads = (
  sql: Sql,
  orgId: string,
  { type, id, projectId }: Target,
  { state, after, limit }: Page & { state: 'all' | 'open' | 'resolved' },
) => sql<ThreadRow[]>`
  select ${columns(sql)}, ${replyCount(sql)} from comments c
  where c.org_id = ${orgId} and c.target_type = ${type} and c.target_id = ${id} and c.parent_id is null
    ${type === 'block' ? sql`and c.project_id = ${projectId}` : sql``}
    ${state === 'all' ? sql`` : state === 'open' ? sql`and c.resolved_at is null` : sql`and c.resolved_at is not null`}
    ${after ? sql`and c.id > ${after}` : sql``}
  order by c.id limit ${limit}`

const replyCount = (sql: Sql): Fragment => sql`(
  select count(*)::int from comments r where r.org_id = c.org_id and r.parent_id = c.id) as "replyCount"`

/** Oldest first. */
const listReplies = (sql: Sql, orgId: string, threadId: string, { after, limit }: Page) => sql<ThreadRow[]>`
  select ${columns(sql)}, 0 as "replyCount" from comments c
  where c.org_id = ${orgId} and c.parent_id = ${threadId} ${after ? sql`and c.id > ${after}` : sql``}
  order by c.id limit ${limit}`

/** Oldest first. */
const listNewestReplies = (sql: Sql, orgId: string, threadIds: string[]) => sql<CommentRow[]>`
  select ${columns(sql)} from unnest(${threadIds}::uuid[]) as t (id) cross join lateral (
    select * from comments r where r.org_id = ${orgId} and r.parent_id = t.id
    order by r.id desc limit ${COMMENT_LIMITS.repliesShown}
  ) c order by c.id`

/** Beyond this, further blocks show no marker. */
const COUNTED_MAX = 5000

const countOpen = (sql: Sql, orgId: string, projectId: string) => sql<{ blockId: string; open: number }[]>`
  select t.target_id as "blockId", t.open from (
    select c.target_id, count(*)::int as open from comments c
    where c.org_id = ${orgId} and c.project_id = ${projectId} and c.target_type = 'block' and c.parent_id is null
      and c.resolved_at is null
    group by c.target_id order by c.target_id limit ${COUNTED_MAX}
  ) t
  cross join lateral (
    select from blocks b where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = t.target_id limit 1
  ) b`

async function findThread(sql: Sql, orgId: string, id: string): Promise<ThreadRow | null> {
  const [row] = await sql<ThreadRow[]>`
    select ${columns(sql)}, ${replyCount(sql)} from comments c where c.org_id = ${orgId} and c.id = ${id}`
  return row ?? null
}

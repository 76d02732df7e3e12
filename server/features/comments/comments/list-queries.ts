import { COMMENT_LIMITS } from '../../../../contract/comments/comment-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { type CommentRow, columns, type Target } from './records.ts'

export interface ThreadRow extends CommentRow {
  replyCount: number
}

interface Page {
  after: string | null
  limit: number
}

/** The first comments of the threads of a target, oldest first, with the number of replies. */
export const listThreads = (
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

/** All replies of one thread, oldest first. */
export const listReplies = (sql: Sql, orgId: string, threadId: string, { after, limit }: Page) => sql<
  ThreadRow[]
>`
  select ${columns(sql)}, 0 as "replyCount" from comments c
  where c.org_id = ${orgId} and c.parent_id = ${threadId} ${after ? sql`and c.id > ${after}` : sql``}
  order by c.id limit ${limit}`

/** The newest replies of each of these threads, oldest first. */
export const listNewestReplies = (sql: Sql, orgId: string, threadIds: string[]) => sql<CommentRow[]>`
  select ${columns(sql)} from unnest(${threadIds}::uuid[]) as t (id) cross join lateral (
    select * from comments r where r.org_id = ${orgId} and r.parent_id = t.id
    order by r.id desc limit ${COMMENT_LIMITS.repliesShown}
  ) c order by c.id`

/** The number of blocks with open threads that are counted; a canvas with more shows markers on these only. */
const COUNTED_MAX = 5000

export const countOpen = (sql: Sql, orgId: string, projectId: string) => sql<
  { blockId: string; open: number }[]
>`
  select t.target_id as "blockId", t.open from (
    select c.target_id, count(*)::int as open from comments c
    where c.org_id = ${orgId} and c.project_id = ${projectId} and c.target_type = 'block' and c.parent_id is null
      and c.resolved_at is null
    group by c.target_id order by c.target_id limit ${COUNTED_MAX}
  ) t
  cross join lateral (
    select from blocks b where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = t.target_id limit 1
  ) b`

export async function findThread(sql: Sql, orgId: string, id: string): Promise<ThreadRow | null> {
  const [row] = await sql<ThreadRow[]>`
    select ${columns(sql)}, ${replyCount(sql)} from comments c where c.org_id = ${orgId} and c.id = ${id}`
  return row ?? null
}

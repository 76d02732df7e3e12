import type { Role } from '../../../contract/accounts/accounts.ts'
import type { Language } from '../../../contract/languages.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import {
  type InsertedEvent,
  insertEventCte,
  insertedEventColumns,
  notifyEvent,
} from '../../events/publish.ts'

export interface CommentRow {
  id: string
  feedbackId: string
  authorId: string
  authorName: string
  authorRole: Role | 'operator'
  body: string
  createdAt: string
}

const columns = (sql: Sql) => sql`
  c.id, c.feedback_id as "feedbackId", c.author_id as "authorId", u.name as "authorName",
  c.author_role as "authorRole", c.body, c.created_at as "createdAt"`

export async function listComments(
  sql: Sql,
  orgId: string,
  feedbackId: string,
  after: string | null,
  limit: number,
) {
  return sql<CommentRow[]>`
    select ${columns(sql)}
    from feedback_comments c join users u on u.id = c.author_id
    where c.org_id = ${orgId} and c.feedback_id = ${feedbackId} and ${after ? sql`c.id > ${after}` : sql`true`}
    order by c.id limit ${limit}`
}

interface NewComment {
  id: string
  authorId: string
  authorRole: CommentRow['authorRole']
  body: string
  now: Date
}

/** One statement inserts the comment, increments the count and enqueues the notification. */
export async function insertComment(
  sql: Sql,
  orgId: string,
  feedbackId: string,
  comment: NewComment,
  job: Fragment,
) {
  const [row] = await sql<(CommentRow & InsertedEvent)[]>`
    with c as (
      insert into feedback_comments (org_id, feedback_id, id, author_id, author_role, body, created_at)
      values (${orgId}, ${feedbackId}, ${comment.id}, ${comment.authorId}, ${comment.authorRole}, ${comment.body},
        ${comment.now})
      returning *
    ), counted as (
      update feedback set comment_count = comment_count + 1, version = version + 1, updated_at = ${comment.now}
      where org_id = ${orgId} and id = ${feedbackId}
    ), ${insertEventCte(sql, orgId, comment.now, { type: 'feedback.updated', data: { feedbackId, change: 'commented', by: comment.authorId } })}
    select ${columns(sql)}, (${job}).id as job, ${insertedEventColumns(sql)}
    from c join users u on u.id = c.author_id`
  notifyEvent(sql, orgId, row!)
  return row!
}

export async function findComment(sql: Sql, orgId: string, feedbackId: string, id: string) {
  const [row] = await sql<CommentRow[]>`
    select ${columns(sql)}
    from feedback_comments c join users u on u.id = c.author_id
    where c.org_id = ${orgId} and c.feedback_id = ${feedbackId} and c.id = ${id}`
  return row ?? null
}

export async function listParticipants(sql: Sql, orgId: string, feedbackId: string) {
  return sql<{ id: string; email: string; language: Language | null }[]>`
    select u.id, u.email, u.language from users u where u.id in (
      select user_id from feedback where org_id = ${orgId} and id = ${feedbackId}
      union select author_id from feedback_comments where org_id = ${orgId} and feedback_id = ${feedbackId})`
}

import type { Sql } from '../../../database/database.ts'
import { type CommentRow, columns, type Target } from './records.ts'

export async function findComment(sql: Sql, orgId: string, id: string): Promise<CommentRow | null> {
  const [row] = await sql<CommentRow[]>`
    select ${columns(sql)} from comments c where c.org_id = ${orgId} and c.id = ${id}`
  return row ?? null
}

/** The comment, locked until the transaction ends; with the lock of its thread, so that replies wait. */
export async function lockComment(sql: Sql, orgId: string, id: string): Promise<CommentRow | null> {
  await sql`
    select from comments t where t.org_id = ${orgId} and t.id = (
      select coalesce(c.parent_id, c.id) from comments c where c.org_id = ${orgId} and c.id = ${id}) for update`
  const [row] = await sql<CommentRow[]>`
    select ${columns(sql)} from comments c where c.org_id = ${orgId} and c.id = ${id} for update of c`
  return row ?? null
}

/** Whether a target has this many comments. */
export async function hasComments(
  sql: Sql,
  orgId: string,
  { type, id, projectId }: Target,
  count: number,
): Promise<boolean> {
  const rows = await sql`
    select from comments
    where org_id = ${orgId} and target_type = ${type} and target_id = ${id}
      ${type === 'block' ? sql`and project_id = ${projectId}` : sql``} limit ${count}`
  return rows.length === count
}

export interface NewComment {
  id: string
  parentId: string | null
  authorId: string | null
  guestName: string | null
  body: string
  mentions: string[]
  now: Date
}

export async function insertComment(
  sql: Sql,
  orgId: string,
  { type, id, projectId }: Target,
  comment: NewComment,
): Promise<CommentRow> {
  const [row] = await sql<CommentRow[]>`
    with c as (
      insert into comments (org_id, id, target_type, target_id, project_id, parent_id, author_id, guest_name, body, mentions,
        created_at)
      values (${orgId}, ${comment.id}, ${type}, ${id}, ${type === 'file' ? null : projectId}, ${comment.parentId},
        ${comment.authorId}, ${comment.guestName}, ${comment.body}, ${comment.mentions}, ${comment.now})
      returning *
    ) select ${columns(sql)} from c`
  return row!
}

export const updateBody = (
  sql: Sql,
  orgId: string,
  id: string,
  { body, mentions, now }: { body: string; mentions: string[]; now: Date },
) => sql`
  update comments set body = ${body}, mentions = ${mentions}, edited_at = ${now}
  where org_id = ${orgId} and id = ${id}`

/** Resolves a thread, or reopens it without `by`. */
export const updateResolved = (sql: Sql, orgId: string, id: string, by: string | null, now: Date) => sql`
  update comments set resolved_at = ${by === null ? null : now}, resolved_by = ${by}
  where org_id = ${orgId} and id = ${id}`

/** Deletes a comment; the first one of a thread with replies loses its text. */
export async function deleteComment(sql: Sql, orgId: string, { id, parentId }: CommentRow, now: Date) {
  await sql`
    update comments c set body = '', mentions = '{}', deleted_at = ${now}
    where c.org_id = ${orgId} and c.id = ${id} and exists (
      select from comments r where r.org_id = c.org_id and r.parent_id = c.id)`
  await sql`delete from comments where org_id = ${orgId} and id = ${id} and deleted_at is null`
  // A placeholder without replies shows nothing.
  if (parentId !== null)
    await sql`
      delete from comments t where t.org_id = ${orgId} and t.id = ${parentId} and t.deleted_at is not null
        and not exists (select from comments r where r.org_id = t.org_id and r.parent_id = t.id)`
}

/** The authors of a thread, without guests. */
export async function listAuthors(sql: Sql, orgId: string, threadId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct author_id as id from comments
    where org_id = ${orgId} and (id = ${threadId} or parent_id = ${threadId}) and author_id is not null`
  return rows.map(({ id }) => id)
}

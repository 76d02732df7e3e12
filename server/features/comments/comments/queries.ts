import type { Sql } from '../../../database/database.ts'
import { inBatch } from '../../../database/delete-batch.ts'
import { type CommentRow, columns, type Target } from './records.ts'

export async function findComment(sql: Sql, orgId: string, id: string): Promise<CommentRow | null> {
  const [row] = await sql<CommentRow[]>`
    select ${columns(sql)} from comments c where c.org_id = ${orgId} and c.id = ${id}`
  return row ?? null
}

/** Also locks the thread, so that replies wait. */
export async function lockComment(sql: Sql, orgId: string, id: string): Promise<CommentRow | null> {
  await sql`
    select from comments t where t.org_id = ${orgId} and t.id = (
      select coalesce(c.parent_id, c.id) from comments c where c.org_id = ${orgId} and c.id = ${id}) for update`
  const [row] = await sql<CommentRow[]>`
    select ${columns(sql)} from comments c where c.org_id = ${orgId} and c.id = ${id} for update of c`
  return row ?? null
}

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

/** Reopens the thread without `by`. */
export const updateResolved = (sql: Sql, orgId: string, id: string, by: string | null, now: Date) => sql`
  update comments set resolved_at = ${by === null ? null : now}, resolved_by = ${by}
  where org_id = ${orgId} and id = ${id}`

/** A first comment with replies only loses its text. */
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

/** Excludes guests. */
export async function listAuthors(sql: Sql, orgId: string, threadId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct author_id as id from comments
    where org_id = ${orgId} and (id = ${threadId} or parent_id = ${threadId}) and author_id is not null`
  return rows.map(({ id }) => id)
}

/** For a purged project. Returns how many. */
export async function deleteProjectComments(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from comments
    where ${inBatch(sql, sql`comments t where t.org_id = ${orgId} and t.project_id = ${projectId}`, limit)}`
  return count
}

/**
 * Deletes threads on blocks neither on the canvas nor in the history, among the next `limit`. Returns the last
 * position, or null at the end.
 */
export async function deleteOrphanedThreads(
  sql: Sql,
  after: { orgId: string; id: string } | null,
  limit: number,
): Promise<{ orgId: string; id: string } | null> {
  const [row] = await sql<{ orgId: string; id: string; read: number }[]>`
    with next as (
      select c.org_id, c.id, c.project_id, c.target_id from comments c
      where c.target_type = 'block' and c.parent_id is null
        ${after ? sql`and (c.org_id, c.id) > (${after.orgId}::uuid, ${after.id}::uuid)` : sql``}
      order by c.org_id, c.id limit ${limit}
    ), deleted as (
      delete from comments c using next n
      where c.org_id = n.org_id and c.id = n.id
        and not exists (
          select from blocks b where b.org_id = n.org_id and b.project_id = n.project_id and b.id = n.target_id)
        and not exists (
          select from canvas_changes h
          where h.org_id = n.org_id and h.project_id = n.project_id and h.item_id = n.target_id)
    )
    select org_id as "orgId", id, (select count(*)::int from next) as read from next
    order by org_id desc, id desc limit 1`
  return row && row.read === limit ? { orgId: row.orgId, id: row.id } : null
}

import type { z } from 'zod'
import type { COMMENT_TARGETS } from '../../../../contract/comments/comment-options.ts'
import type { Comment } from '../../../../contract/comments/comments.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import type { Access } from '../../projects/access/access.ts'

export type TargetType = (typeof COMMENT_TARGETS)[number]

export interface Target {
  type: TargetType
  id: string
  /** Null for a file outside projects. */
  projectId: string | null
  access: Access
  title: string
}

export interface CommentRow {
  id: string
  targetType: TargetType
  targetId: string
  projectId: string | null
  parentId: string | null
  authorId: string | null
  authorName: string
  body: string
  mentions: { id: string; name: string }[]
  resolvedAt: string | null
  resolvedBy: string | null
  resolvedByName: string | null
  editedAt: string | null
  deletedAt: string | null
  createdAt: string
}

export const columns = (sql: Sql): Fragment => sql`
  c.id, c.target_type as "targetType", c.target_id as "targetId", c.project_id as "projectId",
  c.parent_id as "parentId", c.author_id as "authorId",
  coalesce(c.guest_name, (select u.name from users u where u.id = c.author_id)) as "authorName", c.body,
  coalesce((
    select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.id) from unnest(c.mentions) m (id)
    cross join lateral (select u.id, u.name from users u where u.id = m.id limit 1) u), '[]') as mentions,
  c.resolved_at as "resolvedAt", c.resolved_by as "resolvedBy",
  (select u.name from users u where u.id = c.resolved_by) as "resolvedByName", c.edited_at as "editedAt",
  c.deleted_at as "deletedAt", c.created_at as "createdAt"`

export function commentRights(
  caller: Caller,
  target: Pick<Target, 'access'>,
  row: Pick<CommentRow, 'authorId' | 'parentId' | 'deletedAt'>,
) {
  if (caller.share) return { canEdit: false, canDelete: false, canResolve: false }
  const isAuthor = row.authorId === caller.userId
  const isDeleted = row.deletedAt !== null
  return {
    canEdit: isAuthor && !isDeleted,
    canDelete: !isDeleted && (isAuthor || target.access === 'edit'),
    canResolve: row.parentId === null && (isAuthor || target.access === 'edit'),
  }
}

export const present = (caller: Caller, target: Target, row: CommentRow): z.output<typeof Comment> => ({
  id: row.id,
  target: `${row.targetType}:${row.targetId}`,
  projectId: target.projectId,
  parentId: row.parentId,
  author: { id: row.authorId, name: row.authorName, guest: row.authorId === null },
  body: row.body,
  mentions: row.mentions,
  deleted: row.deletedAt !== null,
  resolved:
    row.resolvedAt === null
      ? null
      : { at: row.resolvedAt, by: { id: row.resolvedBy!, name: row.resolvedByName! } },
  ...commentRights(caller, target, row),
  editedAt: row.editedAt,
  createdAt: row.createdAt,
})

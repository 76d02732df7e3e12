import {
  NOTIFICATION_LIMITS,
  type NotificationKind,
} from '../../../../contract/comments/notification-options.ts'
import type { Sql } from '../../../database/database.ts'
import { projectById } from '../../projects/access/access.ts'
import { isVisible, type Person } from './visible.ts'

export interface NotificationRow {
  id: string
  kind: NotificationKind
  title: string
  path: string
  actorId: string | null
  actorName: string | null
  /** The beginning of the comment. */
  body: string | null
  mentioned: { id: string; name: string }[] | null
  target: string | null
  projectId: string | null
  projectName: string | null
  readAt: string | null
  createdAt: string
}

const EXCERPT_READ = 600

interface Filter {
  unread: boolean
  kind?: NotificationKind | undefined
  kinds?: readonly NotificationKind[]
  /** Only those that the next digest contains. */
  isDigestDue?: boolean
}

/**
 * A page, newest first. A person has a limited number of them, so the invisible ones may be read too. The array
 * and the order make the planner read the index in order: without statistics, it would check all rows of the person.
 */
export const listNotifications = (
  sql: Sql,
  viewer: Person,
  { unread, kind, kinds, isDigestDue }: Filter,
  { before, limit }: { before: string | null; limit: number },
) => sql<NotificationRow[]>`
  select n.id, n.kind, n.title, n.path, n.actor_id as "actorId", coalesce(u.name, n.actor_name) as "actorName",
    left(c.body, ${EXCERPT_READ}) as body, (
      select json_agg(json_build_object('id', x.id, 'name', x.name)) from unnest(c.mentions) m (id)
      cross join lateral (select x.id, x.name from users x where x.id = m.id limit 1) x) as mentioned,
    c.target_type || ':' || c.target_id as target, n.project_id as "projectId", p.name as "projectName",
    n.read_at as "readAt", n.created_at as "createdAt"
  from (
    select n.* from notifications n
    where n.org_id = any(array[${viewer.orgId}]::uuid[]) and n.user_id = ${viewer.userId}
      ${unread ? sql`and n.read_at is null` : sql``} ${kind ? sql`and n.kind = ${kind}` : sql``}
      ${kinds ? sql`and n.kind = any(${[...kinds]}::text[])` : sql``}
      ${isDigestDue ? sql`and n.is_digest_due` : sql``} ${before ? sql`and n.id < ${before}` : sql``}
      and ${isVisible(sql, viewer)}
    order by n.org_id desc, n.user_id desc, n.id desc limit ${limit}
  ) n
  left join users u on u.id = n.actor_id
  left join lateral (
    select c.* from comments c where c.org_id = n.org_id and c.id = any(array[n.comment_id])
    order by c.org_id, c.id limit 1
  ) c on true
  left join lateral ${projectById(sql, viewer.orgId, sql`n.project_id`)} p on true
  order by n.id desc`

/** Counts at most a hundred. */
export async function countUnread(sql: Sql, viewer: Person): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from (
      select from notifications n
      where n.org_id = ${viewer.orgId} and n.user_id = ${viewer.userId} and n.read_at is null and ${isVisible(sql, viewer)}
      order by n.id desc limit ${NOTIFICATION_LIMITS.counted}) unread`
  return row!.count
}

/** Marks these notifications, or all, as read or as unread. */
export const updateRead = (
  sql: Sql,
  { orgId, userId }: Person,
  ids: string[] | null,
  readAt: Date | null,
) => sql`
  update notifications set read_at = ${readAt}
  where org_id = ${orgId} and user_id = ${userId} and read_at is ${readAt ? sql`null` : sql`not null`}
    ${ids ? sql`and id = any(${ids}::uuid[])` : sql``}`

/** Deletes at most `limit` notifications of a purged project. Returns how many. */
export async function deleteOfProject(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from notifications where ctid = any(array(
      select ctid from notifications where org_id = ${orgId} and project_id = ${projectId} limit ${limit}))`
  return count
}

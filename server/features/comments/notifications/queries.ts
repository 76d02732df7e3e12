import {
  NOTIFICATION_LIMITS,
  type NotificationKind,
} from '../../../../contract/comments/notification-options.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { inBatch } from '../../../database/delete-batch.ts'
import { isProjectVisible, projectById } from '../../projects/access/access.ts'

export interface NotificationRow {
  id: string
  kind: NotificationKind
  title: string
  /** In the recipient's language, if it isn't English. */
  digestTitle: string | null
  path: string
  actorId: string | null
  actorName: string | null
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
  /** Only those in the next digest. */
  isDigestDue?: boolean
}

/**
 * Newest first. Reads invisible ones too, since their number is limited. Without statistics, the array and order are
 * needed to use the index.
 */
export const listNotifications = (
  sql: Sql,
  viewer: Person,
  { unread, kind, kinds, isDigestDue }: Filter,
  { before, limit }: { before: string | null; limit: number },
) => sql<NotificationRow[]>`
  select n.id, n.kind, n.title, n.digest_title as "digestTitle", n.path, n.actor_id as "actorId", coalesce(u.name, n.actor_name) as "actorName",
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

export async function countUnread(sql: Sql, viewer: Person): Promise<number> {
  const [row] = await sql<
    [{ count: number }]
  >`select count(*)::int as count from ${unreadNotifications(sql, viewer)}`
  return row.count
}

/** `news` excludes notifications about approvals and the viewer's own connections, which are counted as decisions. */
export async function countUnreadNews(sql: Sql, viewer: Person) {
  const [row] = await sql<[{ unread: number; news: number }]>`
    select count(*)::int as unread, count(*) filter (where n.kind <> 'approval' and not exists (
      select from connections x
      where x.org_id = ${viewer.orgId} and x.id = n.connection_id and x.user_id = ${viewer.userId}))::int as news
    from ${unreadNotifications(sql, viewer)}`
  return row
}

/** The newest hundred. */
const unreadNotifications = (sql: Sql, viewer: Person): Fragment => sql`(
  select n.kind, n.connection_id from notifications n
  where n.org_id = ${viewer.orgId} and n.user_id = ${viewer.userId} and n.read_at is null and ${isVisible(sql, viewer)}
  order by n.id desc limit ${NOTIFICATION_LIMITS.counted}) n`

/** Null `ids` means all. */
export const updateRead = (
  sql: Sql,
  { orgId, userId }: Person,
  ids: string[] | null,
  readAt: Date | null,
) => sql`
  update notifications set read_at = ${readAt}
  where org_id = ${orgId} and user_id = ${userId} and read_at is ${readAt ? sql`null` : sql`not null`}
    ${ids ? sql`and id = any(${ids}::uuid[])` : sql``}`

/** For every recipient of a project's notifications whose cause is settled. */
export const markKeysRead = (sql: Sql, orgId: string, projectId: string, keyPrefix: string, now: Date) => sql`
  update notifications set read_at = ${now}
  where org_id = ${orgId} and project_id = ${projectId} and starts_with(key, ${keyPrefix}) and read_at is null`

/** For a purged project. Returns how many. */
export async function deleteOfProject(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from notifications
    where ${inBatch(sql, sql`notifications t where t.org_id = ${orgId} and t.project_id = ${projectId}`, limit)}`
  return count
}

const DAY_MS = 86_400_000

export async function deleteOld(sql: Sql, now: Date, limit: number): Promise<number> {
  const until = new Date(now.getTime() - NOTIFICATION_LIMITS.days * DAY_MS)
  const { count } = await sql`
    delete from notifications
    where ${inBatch(sql, sql`notifications t where t.created_at < ${until} order by t.created_at`, limit)}`
  return count
}

/** Checks only users notified since this time. */
export const deleteBeyond = (sql: Sql, since: Date) => sql`
  delete from notifications n using (
    select r.org_id, r.user_id, (
      select o.id from notifications o where o.org_id = r.org_id and o.user_id = r.user_id
      order by o.id desc offset ${NOTIFICATION_LIMITS.perPerson} limit 1) as from_id
    from (select distinct org_id, user_id from notifications where created_at >= ${since}) r
  ) b
  where n.org_id = b.org_id and n.user_id = b.user_id and n.id <= b.from_id`

type Person = Pick<Caller, 'orgId' | 'userId' | 'role'>

const rolesOf = ({ role }: Person): string[] =>
  ({ member: [], admin: ['admin'], owner: ['admin', 'owner'] })[role]

const isVisible = (sql: Sql, person: Person): Fragment => sql`
  (n.role is null or n.role = any(${rolesOf(person)}::text[]))
  and (n.project_id is null or ${isProjectVisible(sql, person, sql`n.project_id`)})
  and (n.connection_id is null or exists (
    select from connections x where x.org_id = n.org_id and x.id = n.connection_id
      and (x.user_id = ${person.userId} or x.shared <> 'none')))
  and (n.comment_id is null or coalesce((
    select c.deleted_at is null and case c.target_type
        when 'block' then ${blockExists(sql)}
        when 'run' then true
        else ${isFileVisible(sql, person)} end
    from comments c where c.org_id = n.org_id and c.id = any(array[n.comment_id]) order by c.org_id, c.id limit 1), false))`

/**
 * For the comment `c`. Here and above, the array, order and `limit 1` force a primary key lookup without statistics.
 */
const blockExists = (sql: Sql): Fragment => sql`coalesce((
  select true from blocks b
  where b.org_id = c.org_id and b.project_id = any(array[c.project_id]) and b.id = any(array[c.target_id])
  order by b.org_id, b.project_id, b.id limit 1), false)`

/** The file may have moved since. */
const isFileVisible = (sql: Sql, person: Person): Fragment => sql`exists (
  select from files f join folders d on d.org_id = f.org_id and d.id = f.parent_id
  where f.org_id = c.org_id and f.id = c.file_id and f.deleted_at is null and d.trashed_by is null
    and (d.project_id is null or ${isProjectVisible(sql, person, sql`d.project_id`)}))`

import type { Fragment, Sql } from '../../../../database/database.ts'
import { isoTime } from '../../../../database/json.ts'

/** Each user has few. */
export const favouriteIds = (sql: Sql, orgId: string, userId: string): Fragment => sql`
  select f.project_id from project_favourites f where f.org_id = ${orgId} and f.user_id = ${userId}`

/** Search records these and keeps only the last ones. */
export const openedIds = (sql: Sql, orgId: string, userId: string): Fragment => sql`
  select o.id from search_opened o where o.org_id = ${orgId} and o.user_id = ${userId} and o.type = 'project'`

/** Null if never, or long ago. */
export const openedAt = (sql: Sql, orgId: string, userId: string): Fragment => sql`(
  select ${isoTime(sql, sql`o.opened_at`)} from search_opened o
  where o.org_id = ${orgId} and o.user_id = ${userId} and o.type = 'project' and o.id = p.id)`

export async function listOpenedIds(sql: Sql, orgId: string, userId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`${openedIds(sql, orgId, userId)}`
  return rows.map(({ id }) => id)
}

interface FavouriteRow {
  id: string
  name: string
  slug: string
  emoji: string | null
  status: 'active' | 'archived' | 'completed'
  visibility: 'team' | 'private'
}

export const listFavourites = (sql: Sql, orgId: string, userId: string, access: Fragment) => sql<
  FavouriteRow[]
>`
  select p.id, p.name, p.slug, p.emoji, p.status, p.visibility from (
    select f.project_id, f.position from project_favourites f where f.org_id = ${orgId} and f.user_id = ${userId} offset 0
  ) f cross join lateral (
    select p.* from projects p where p.org_id = ${orgId} and p.id = any(array[f.project_id]) order by p.id limit 1
  ) p
  where p.deleted_at is null and ${access} is not null
  order by f.position, p.id`

/** Returns the new count. */
export async function insertFavourite(
  sql: Sql,
  orgId: string,
  userId: string,
  projectId: string,
  now: Date,
): Promise<number> {
  // Two concurrent calls would both count before the other is stored.
  await sql`select pg_advisory_xact_lock(hashtextextended('favourites' || ${orgId}::text || ${userId}::text, 0))`
  await sql`
    insert into project_favourites (org_id, user_id, project_id, position, created_at)
    select ${orgId}, ${userId}, ${projectId}, 1 + coalesce(max(position), 0), ${now} from project_favourites
    where org_id = ${orgId} and user_id = ${userId}
    on conflict do nothing`
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from project_favourites where org_id = ${orgId} and user_id = ${userId}`
  return row!.count
}

/** Also deletes trashed ones. Returns how many are left. */
export async function deleteInvisible(
  sql: Sql,
  orgId: string,
  userId: string,
  access: Fragment,
): Promise<number> {
  await sql`
    delete from project_favourites f using projects p
    where f.org_id = ${orgId} and f.user_id = ${userId} and p.org_id = f.org_id and p.id = f.project_id
      and (p.deleted_at is not null or ${access} is null)`
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from project_favourites where org_id = ${orgId} and user_id = ${userId}`
  return row!.count
}

export const deleteFavourite = (sql: Sql, orgId: string, userId: string, projectId: string) => sql`
  delete from project_favourites where org_id = ${orgId} and user_id = ${userId} and project_id = ${projectId}`

export const updateFavouriteOrder = (sql: Sql, orgId: string, userId: string, ids: string[]) => sql`
  update project_favourites f set position = s.position from (
    select f.project_id, row_number() over (
      order by array_position(${ids}::uuid[], f.project_id) nulls last, f.position, f.project_id) as position
    from project_favourites f where f.org_id = ${orgId} and f.user_id = ${userId}
  ) s
  where f.org_id = ${orgId} and f.user_id = ${userId} and f.project_id = s.project_id`

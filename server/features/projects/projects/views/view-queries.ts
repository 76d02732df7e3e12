import type { z } from 'zod'
import type { ViewSettings } from '../../../../../contract/projects/views.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'

export interface ViewRow {
  id: string
  userId: string
  creator: string
  name: string
  shared: boolean
  settings: z.output<typeof ViewSettings>
  createdAt: string
  updatedAt: string
}

const columns = (sql: Sql): Fragment => sql`
  v.id, v.user_id as "userId", (select u.name from users u where u.id = v.user_id) as creator, v.name, v.shared, v.settings,
  v.created_at as "createdAt", v.updated_at as "updatedAt"`

/** Own and shared views. Limits bound both. */
export const listViews = (sql: Sql, orgId: string, userId: string) => sql<ViewRow[]>`
  select ${columns(sql)} from (
    select * from project_views where org_id = ${orgId} and user_id = ${userId}
    union
    select * from project_views where org_id = ${orgId} and shared
  ) v
  order by lower(v.name), v.id`

export async function findView(sql: Sql, orgId: string, userId: string, id: string): Promise<ViewRow | null> {
  const [row] = await sql<ViewRow[]>`
    select ${columns(sql)} from project_views v
    where v.org_id = ${orgId} and v.id = ${id} and (v.user_id = ${userId} or v.shared)`
  return row ?? null
}

type Fields = Pick<ViewRow, 'id' | 'name' | 'shared' | 'settings'>

export const insertView = (sql: Sql, orgId: string, userId: string, view: Fields & { now: Date }) => sql`
  insert into project_views (org_id, id, user_id, name, shared, settings, created_at, updated_at)
  values (${orgId}, ${view.id}, ${userId}, ${view.name}, ${view.shared}, ${sql.json(view.settings as never)}, ${view.now},
    ${view.now})`

export const updateView = (sql: Sql, orgId: string, view: Fields & { now: Date }) => sql`
  update project_views set name = ${view.name}, shared = ${view.shared}, settings = ${sql.json(view.settings as never)},
    updated_at = ${view.now}
  where org_id = ${orgId} and id = ${view.id}`

export const deleteView = (sql: Sql, orgId: string, id: string) =>
  sql`delete from project_views where org_id = ${orgId} and id = ${id}`

/** Two concurrent calls would both count before the other is stored. */
export const lockViews = (sql: Sql, orgId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('project views' || ${orgId}::text, 0))`

export async function countViews(
  sql: Sql,
  orgId: string,
  userId: string,
): Promise<{ own: number; shared: number }> {
  const [row] = await sql<{ own: number; shared: number }[]>`
    select (select count(*) from project_views where org_id = ${orgId} and user_id = ${userId} and not shared)::int as own,
      (select count(*) from project_views where org_id = ${orgId} and shared)::int as shared`
  return row!
}

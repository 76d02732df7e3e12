import type { Sql } from '../../../database/database.ts'

/** A project whose content has to be deleted. */
export interface PurgedProject {
  orgId: string
  id: string
}

/** The name of a purged project, where its runs and their cost are listed. */
const PURGED_NAME = 'Deleted project'

/** Removes the texts of the project, frees its slug, and stops counting its content. */
export const updatePurged = (sql: Sql, orgId: string, id: string, now: Date) => sql`
  update projects set purged_at = ${now}, name = ${PURGED_NAME}, slug = 'purged-' || id, search_key = '', sort_key = '', description = null,
    prompt = null, emoji = null, tags = '{}', metadata = '{}', canvas_bytes = 0, block_count = 0, edge_count = 0,
    history_bytes = 0, version = version + 1, updated_at = ${now}
  where org_id = ${orgId} and id = ${id}`

export interface ExpiredProject extends PurgedProject {
  userId: string
  name: string
  visibility: 'team' | 'private'
}

/** Projects of all organizations whose time in the trash has ended, locked. */
export const lockExpired = (sql: Sql, now: Date, limit: number) => sql<ExpiredProject[]>`
  select org_id as "orgId", id, user_id as "userId", name, visibility from projects
  where purge_at <= ${now} and purged_at is null
  order by purge_at limit ${limit} for no key update skip locked`

/** Purged projects of all organizations whose content is not deleted yet. */
export const listToEmpty = (sql: Sql, limit: number) => sql<PurgedProject[]>`
  select org_id as "orgId", id from projects where purged_at is not null and emptied_at is null
  order by purged_at limit ${limit}`

export const updateEmptied = (sql: Sql, orgId: string, id: string, now: Date) => sql`
  with workspaces as (delete from project_workspaces where org_id = ${orgId} and project_id = ${id}),
    favourites as (delete from project_favourites where org_id = ${orgId} and project_id = ${id})
  update projects set emptied_at = ${now} where org_id = ${orgId} and id = ${id}`

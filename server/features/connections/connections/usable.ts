import type { Sql } from '../../../database/database.ts'

/** A connection that runs of a person can use, or could if it worked. */
export interface UsableConnection {
  id: string
  slug: string
  label: string | null
  accountName: string | null
  ownerId: string
  status: 'active' | 'expired' | 'error'
  statusReason: string | null
  /** It belongs to another person, who shares it. */
  isShared: boolean
}

export interface UsableBy {
  userId: string
  projectId: string | null
  slugs: readonly string[]
}

/** The connections of a person, then those that others share with the project or the organization; oldest first. */
export const listUsable = (sql: Sql, orgId: string, { userId, projectId, slugs }: UsableBy) => sql<
  UsableConnection[]
>`
  select id, connector_slug as slug, label, coalesce(account ->> 'name', account ->> 'email') as "accountName",
    user_id as "ownerId", status, status_reason as "statusReason", user_id <> ${userId} as "isShared"
  from connections
  where org_id = ${orgId} and deleted_at is null and status in ('active', 'expired', 'error')
    and exists (select from memberships m where m.org_id = ${orgId} and m.user_id = connections.user_id)
    and connector_slug = any(${slugs as string[]})
    and (user_id = ${userId} or shared = 'org' or (shared = 'project' and shared_project_id = ${projectId}))
  order by user_id <> ${userId}, created_at, id`

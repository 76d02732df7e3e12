import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { visibleWorkspaces } from './visible-projects.ts'

interface FolderPage {
  order: 'name' | 'newest' | 'largest'
  /** The name's sort key or the time of the row before the page, and its id. */
  after: { key: string; id: string } | null
  limit: number
}

/**
 * The folders of the projects that a viewer sees, in the order of the root folder: `id`, `sort_key` and `updated_at`.
 * Each source reads its own index and stops at the limit. `audience_id` is the workspace of a team project, or the
 * creator of a private one.
 */
export function visibleProjectFolders(
  sql: Sql,
  viewer: Pick<Caller, 'orgId' | 'userId' | 'role'>,
  page: FolderPage,
): Fragment {
  const { orgId, userId, role } = viewer
  const pageOf = (condition: Fragment) => sql`
    select l.folder_id as id, l.folder_key as sort_key, l.folder_at as updated_at from project_workspaces l
    where l.org_id = ${orgId} and ${condition} ${afterCondition(sql, page)}
    order by ${orderBy(sql, page)} limit ${page.limit}`
  const own = sql`(${pageOf(sql`l.audience_id = ${userId}`)})`
  const team =
    role === 'member'
      ? sql`(select l.* from (${visibleWorkspaces(sql, viewer, undefined)} offset 0) w
          cross join lateral (${pageOf(sql`l.audience_id = w.id`)}) l)`
      : sql`(${pageOf(sql`l.audience_id = l.workspace_id`)})`
  // Without duplicates: a project may be in several workspaces.
  return sql`${team} union ${own}`
}

function orderBy(sql: Sql, { order }: FolderPage): Fragment {
  if (order === 'name') return sql`l.folder_key, l.folder_id`
  return order === 'newest' ? sql`l.folder_at desc, l.folder_id desc` : sql`l.folder_id desc`
}

function afterCondition(sql: Sql, { order, after }: FolderPage): Fragment {
  if (after === null) return sql``
  const { key, id } = after
  if (order === 'name') return sql`and (l.folder_key, l.folder_id) > (${key}, ${id}::uuid)`
  return order === 'newest'
    ? sql`and (l.folder_at, l.folder_id) < (${key}::timestamptz, ${id}::uuid)`
    : sql`and l.folder_id < ${id}`
}

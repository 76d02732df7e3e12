import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { visibleProjectPage } from './visible-projects.ts'

interface VisibleRows {
  rows: Fragment
  columns: Fragment
  order: Fragment
  /**
   * Forces a column that no index has. Otherwise a generic plan, which expects an average organization, sorts all
   * project index entries instead of reading the first ones in order.
   */
  unindexed: Fragment
  isVisible: Fragment
  limit: number
}

/** Two pages, enough for a viewer who sees most projects. */
const SCANNED_MAX = 200

/**
 * Searches the organization's next rows, then, if they don't fill a page, the viewer's projects. The first alone would
 * read every row for a viewer who sees few. The second alone would read each project for a viewer who sees all. Only
 * projects with the first rows can contribute to the page.
 */
export const visibleRows = (
  sql: Sql,
  viewer: Pick<Caller, 'orgId' | 'userId' | 'role'>,
  { rows, columns, order, unindexed, isVisible, limit }: VisibleRows,
): Fragment => {
  const inProject = (project: Fragment, count: number) => sql`
    select ${columns} from (${rows}) x where x.project_id = ${project} ${order} limit ${count}`
  const projects = visibleProjectPage(
    sql,
    viewer,
    { visibility: undefined, workspaceId: undefined, conditions: null },
    { after: null, limit: null },
  )
  return sql`
    with scanned as materialized (
      select ${columns}, x.project_id, ${unindexed} from (${rows}) x ${order} limit ${SCANNED_MAX}
    ), near as materialized (
      select ${columns} from scanned x where ${isVisible} ${order} limit ${limit}
    ), far as (
      select ${columns} from (
        select x.*, v.id as project_id from (${projects} offset 0) v
        cross join lateral (${inProject(sql`v.id`, 1)}) x ${order} limit ${limit}
      ) h cross join lateral (${inProject(sql`h.project_id`, limit)}) x
      where case when (select count(*) from near) < ${limit} then (select count(*) from scanned) = ${SCANNED_MAX} else false end
    )
    select ${columns} from (select * from near union select * from far) x ${order} limit ${limit}`
}

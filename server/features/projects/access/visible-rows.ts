import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { visibleProjectPage } from './visible-projects.ts'

interface VisibleRows {
  /** The rows of the organization that match the filters of the list, as a query. */
  rows: Fragment
  /** The columns of the order and the id, of the row `x`. */
  columns: Fragment
  /** The order of the list, of the row `x`. It needs an index, and one within a project. */
  order: Fragment
  /**
   * A column of the row `x` that no index has. Without it, a generic plan, which expects an organization of average
   * size, sorts all entries of the index of projects instead of reading the first ones in order.
   */
  unindexed: Fragment
  /** `isProjectVisible` of the row `x`. */
  isVisible: Fragment
  limit: number
}

/** The rows of two pages: a viewer who sees most projects finds a page among them. */
const SCANNED_MAX = 200

/**
 * The first rows of a list that are in projects which the viewer sees, in two ways: among the next rows of the
 * organization, or, if a page is not among them, from the projects of the viewer. The first alone would read all rows
 * of the organization for a viewer who sees few of them; the second alone would read each project of a viewer who sees
 * all. Only the projects with the first rows can contribute to the page.
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

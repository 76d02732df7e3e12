import type { Sql } from '../../../database/database.ts'

export interface OutlineRow {
  id: string
  type: string
  parentId: string | null
  title: string | null
  /** The start of the content, from which a missing title is derived. */
  excerpt: string | null
}

/** The blocks without their contents, from the top of the canvas down, and the number of edges. */
export async function listOutline(sql: Sql, orgId: string, projectId: string) {
  const [blocks, [edges]] = await Promise.all([
    sql<OutlineRow[]>`
      select id, type, parent_id as "parentId", title, left(content, 200) as excerpt from blocks
      where org_id = ${orgId} and project_id = ${projectId} order by y, x, id`,
    sql<{ count: number }[]>`
      select count(*) from edges where org_id = ${orgId} and project_id = ${projectId}`,
  ])
  return { blocks, edges: edges!.count }
}

import type { Sql } from '../../../../database/database.ts'
import { type BlockRow, blockColumns, type EdgeRow, edgeColumns } from '../records.ts'

/** A block's type and the group that contains it. */
export interface HierarchyRow {
  id: string
  type: BlockRow['type']
  parentId: string | null
}

export async function listBlocksById(sql: Sql, orgId: string, projectId: string, ids: string[]) {
  if (ids.length === 0) return []
  return sql<BlockRow[]>`
    select ${blockColumns(sql)} from blocks b
    where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = any(${ids})`
}

export async function listBlocksIn(sql: Sql, orgId: string, projectId: string, groupIds: string[]) {
  if (groupIds.length === 0) return []
  return sql<BlockRow[]>`
    select ${blockColumns(sql)} from blocks b
    where b.org_id = ${orgId} and b.project_id = ${projectId} and b.parent_id = any(${groupIds})`
}

/** The blocks with these ids, and every group that contains one of them, directly or not. */
export async function listWithAncestors(sql: Sql, orgId: string, projectId: string, ids: string[]) {
  if (ids.length === 0) return []
  return sql<HierarchyRow[]>`
    with recursive ancestry as (
      select id, type, parent_id from blocks
      where org_id = ${orgId} and project_id = ${projectId} and id = any(${ids})
      union
      select b.id, b.type, b.parent_id from ancestry join blocks b
        on b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = ancestry.parent_id
    )
    select id, type, parent_id as "parentId" from ancestry`
}

/** The blocks whose edges lead to this block, from the top of the canvas down. */
export const listInputs = (sql: Sql, orgId: string, projectId: string, blockId: string, limit: number) =>
  sql<BlockRow[]>`
    select ${blockColumns(sql)} from blocks b
    where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id in (
      select e.from_block_id from edges e
      where e.org_id = ${orgId} and e.project_id = ${projectId} and e.to_block_id = ${blockId})
    order by b.y, b.x, b.id limit ${limit}`

/** The edges with these ids, and those that start or end at these blocks. */
export async function listEdges(
  sql: Sql,
  orgId: string,
  projectId: string,
  { ids, blockIds }: { ids: string[]; blockIds: string[] },
) {
  if (ids.length === 0 && blockIds.length === 0) return []
  return sql<EdgeRow[]>`
    select ${edgeColumns(sql)} from edges e
    where e.org_id = ${orgId} and e.project_id = ${projectId} and e.id = any(${ids})
    union
    select ${edgeColumns(sql)} from edges e
    where e.org_id = ${orgId} and e.project_id = ${projectId} and e.from_block_id = any(${blockIds})
    union
    select ${edgeColumns(sql)} from edges e
    where e.org_id = ${orgId} and e.project_id = ${projectId} and e.to_block_id = any(${blockIds})`
}

/** The whole canvas, in two statements: lock the project first, or compare its `changeSeq` before and after. */
export async function readCanvas(sql: Sql, orgId: string, projectId: string) {
  const [blocks, edges] = await Promise.all([
    sql<BlockRow[]>`
      select ${blockColumns(sql)} from blocks b
      where b.org_id = ${orgId} and b.project_id = ${projectId} order by b.id`,
    sql<EdgeRow[]>`
      select ${edgeColumns(sql)} from edges e
      where e.org_id = ${orgId} and e.project_id = ${projectId} order by e.id`,
  ])
  return { blocks, edges }
}

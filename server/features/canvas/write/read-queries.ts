import type { Sql } from '../../../database/database.ts'
import { type BlockRow, blockColumns, type EdgeRow, edgeColumns } from '../records.ts'

/** The type of a block, and the group that it is in. */
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

/** Those of these that there are, and every group around them. */
export async function listWithAncestors(sql: Sql, orgId: string, projectId: string, ids: string[]) {
  if (ids.length === 0) return []
  return sql<HierarchyRow[]>`
    with recursive place as (
      select id, type, parent_id from blocks
      where org_id = ${orgId} and project_id = ${projectId} and id = any(${ids})
      union
      select b.id, b.type, b.parent_id from place join blocks b
        on b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = place.parent_id
    )
    select id, type, parent_id as "parentId" from place`
}

/** Edges of these ids, and those that begin or end at these blocks. */
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

export async function countItems(sql: Sql, orgId: string, projectId: string) {
  const [row] = await sql<{ blocks: number; edges: number }[]>`
    select
      (select count(*) from blocks where org_id = ${orgId} and project_id = ${projectId}) as blocks,
      (select count(*) from edges where org_id = ${orgId} and project_id = ${projectId}) as edges`
  return row!
}

export async function isRunning(sql: Sql, orgId: string, projectId: string, runId: string) {
  const [row] = await sql`
    select from runs
    where org_id = ${orgId} and id = ${runId} and project_id = ${projectId} and status = 'running'`
  return row !== undefined
}

/** The whole canvas, for the transaction of whoever holds its project. */
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

import type { Fragment, Sql } from '../../database/database.ts'
import { type BlockRow, blockColumns, type EdgeRow } from './records.ts'

/** Blocks, edges and the number of the latest change, from one snapshot. */
interface CanvasState {
  blocks: BlockRow[]
  edges: EdgeRow[]
  seq: number
}

export const readAll = (sql: Sql, orgId: string, projectId: string): Promise<CanvasState> =>
  read(
    sql,
    orgId,
    projectId,
    sql`select * from blocks where org_id = ${orgId} and project_id = ${projectId} order by id`,
    sql`select * from edges where org_id = ${orgId} and project_id = ${projectId} order by id`,
  )

/** One page of blocks, and the edges that start at them. */
export const readPage = (
  sql: Sql,
  orgId: string,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<CanvasState> =>
  read(
    sql,
    orgId,
    projectId,
    sql`
      select * from blocks
      where org_id = ${orgId} and project_id = ${projectId} and ${after ? sql`id > ${after}` : sql`true`}
      order by id limit ${limit}`,
    sql`
      select e.* from b join edges e on e.org_id = ${orgId} and e.project_id = ${projectId} and e.from_block_id = b.id
      order by e.id`,
  )

interface CanvasHeader {
  seq: number | null
  edgeIds: string[] | null
  fromIds: string[]
  toIds: string[]
  labels: EdgeRow['label'][]
}

/**
 * One statement, so that everything comes from one snapshot: the header row holds the number of the latest change and
 * the edges, the other rows are blocks. Edges are returned as arrays, which takes a fifth of the time of JSON objects.
 */
async function read(
  sql: Sql,
  orgId: string,
  projectId: string,
  blocks: Fragment,
  edges: Fragment,
): Promise<CanvasState> {
  const rows = await sql<(BlockRow & CanvasHeader)[]>`
    with b as (${blocks})
    select header.seq, header."edgeIds", header."fromIds", header."toIds", header.labels, ${blockColumns(sql)}
    from (
      select p.change_seq as seq, e.* from projects p cross join (
        select array_agg(e.id) as "edgeIds", array_agg(e.from_block_id) as "fromIds", array_agg(e.to_block_id) as "toIds",
          json_agg(e.label) as labels
        from (${edges}) e
      ) e
      where p.org_id = ${orgId} and p.id = ${projectId}
    ) header full join b on false`
  const header = rows.find(({ seq }) => seq !== null)
  return {
    blocks: rows.filter((row) => row !== header).sort(byId),
    edges: header?.edgeIds ? edgesOf(header, header.edgeIds) : [],
    seq: header?.seq ?? 0,
  }
}

const edgesOf = ({ fromIds, toIds, labels }: CanvasHeader, ids: string[]): EdgeRow[] =>
  ids.map((id, n) => ({ id, fromBlockId: fromIds[n]!, toBlockId: toIds[n]!, label: labels[n] ?? null }))

const byId = (left: BlockRow, right: BlockRow) => (left.id < right.id ? -1 : 1)

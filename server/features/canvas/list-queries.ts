import type { Fragment, Sql } from '../../database/database.ts'
import { jsonRow } from '../../database/json.ts'
import { blockJson, edgeColumns } from './records.ts'

/** Blocks, edges and the number of the latest change, from one snapshot. */
interface CanvasPage {
  /** The items of the JSON array, without its brackets. */
  blocks: string
  edges: string
  seq: number
  /** The last block of the page if another page follows. */
  lastId: string | null
}

export const readAll = (sql: Sql, orgId: string, projectId: string): Promise<CanvasPage> =>
  read(
    sql,
    orgId,
    projectId,
    { after: null, limit: null },
    sql`select * from edges where org_id = ${orgId} and project_id = ${projectId}`,
  )

/** One page of blocks, and the edges that start at them. An array, so that edges are read once also without statistics. */
export const readPage = (
  sql: Sql,
  orgId: string,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<CanvasPage> =>
  read(
    sql,
    orgId,
    projectId,
    { after, limit },
    sql`
      select e.* from edges e
      where e.org_id = ${orgId} and e.project_id = ${projectId} and e.from_block_id = any(array(select b.id from b))`,
  )

/** One statement, so that everything comes from one snapshot. */
async function read(
  sql: Sql,
  orgId: string,
  projectId: string,
  { after, limit }: { after: string | null; limit: number | null },
  edges: Fragment,
): Promise<CanvasPage> {
  const next = limit === null ? sql`false` : sql`(select count(*) > ${limit} from found)`
  const [row] = await sql<CanvasPage[]>`
    with found as (
      select * from blocks
      where org_id = ${orgId} and project_id = ${projectId} and ${after ? sql`id > ${after}` : sql`true`}
      order by id ${limit === null ? sql`` : sql`limit ${limit + 1}`}
    ), b as (select * from found order by id ${limit === null ? sql`` : sql`limit ${limit}`})
    select
      coalesce((select string_agg(${blockJson(sql)}, ',' order by b.id) from b), '') as blocks,
      coalesce((select string_agg(${jsonRow(sql, edgeColumns(sql))}, ',' order by e.id) from (${edges}) e), '') as edges,
      p.change_seq as seq, case when ${next} then (select id from b order by id desc limit 1) end as "lastId"
    from projects p where p.org_id = ${orgId} and p.id = ${projectId}`
  return row ?? { blocks: '', edges: '', seq: 0, lastId: null }
}

import type { canvas } from '../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { SLICE_ITEMS } from '../../../concurrency/slices.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { jsonRow } from '../../../database/json.ts'
import { JsonParts, JsonText } from '../../../endpoint/serialize.ts'
import { badField } from '../../../errors.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { blockJson, edgeColumns } from './records.ts'

/** A page has its blocks' outgoing edges. */
export async function list(ctx: Context<'vault'>, { projectId, limit, cursor }: InputOf<typeof canvas.list>) {
  if (limit === undefined && cursor !== undefined) throw badField('query.limit', 'is required with a cursor')
  const { orgId, id } = await findProject(ctx, projectId)
  if (limit === undefined) return composeCanvas(await readAll(ctx.sql, orgId, id))
  const name = `blocks ${orgId} ${id}`
  const after = decodeCursor(ctx.vault, name, cursor)
  const { blocks, edges, seq, lastId } = await readPage(ctx.sql, orgId, id, after, limit)
  const nextCursor = lastId === null ? null : encodeCursor(ctx.vault, name, lastId)
  return new JsonText(
    `{"items":[${blocks}],"edges":[${edges}],"nextCursor":${JSON.stringify(nextCursor)},"seq":${seq}}`,
  )
}

/** A tenth of the work of `list`, which tools would repeat for each edit. */
export async function outline(ctx: Context, { projectId }: InputOf<typeof canvas.outline>) {
  const { orgId, id } = await findProject(ctx, projectId)
  return new JsonText(await readOutline(ctx.sql, orgId, id))
}

export async function readOutline(sql: Sql, orgId: string, projectId: string): Promise<string> {
  const items = (rows: Fragment) => sql`coalesce((select json_agg(row_to_json(r)) from (${rows}) r), '[]')`
  const [row] = await sql<{ json: string }[]>`
    select json_build_object('items', ${items(sql`
      select b.id, b.type, b.title, b.parent_id as "parentId", b.x, b.y, b.width, b.height from blocks b
      where b.org_id = ${orgId} and b.project_id = ${projectId} order by b.id`)}, 'edges', ${items(sql`
      select e.id, e.from_block_id as "fromBlockId", e.to_block_id as "toBlockId" from edges e
      where e.org_id = ${orgId} and e.project_id = ${projectId} order by e.id`)}, 'seq', p.change_seq)::text as json
    from projects p where p.org_id = ${orgId} and p.id = ${projectId}`
  return row!.json
}

function composeCanvas(slices: Awaited<ReturnType<typeof readAll>>): JsonParts {
  const body = new JsonParts()
  const addAll = (kind: 'block' | 'edge') => {
    const texts = slices.filter((slice) => slice.kind === kind)
    for (const [index, { json }] of texts.entries()) body.add(index === 0 ? json : `,${json}`)
  }
  body.add('{"items":[')
  addAll('block')
  body.add('],"edges":[')
  addAll('edge')
  body.add(`],"nextCursor":null,"seq":${slices[0]?.json ?? '0'}}`)
  return body
}

/** Read from one snapshot. */
interface CanvasPage {
  /** JSON array items without brackets. */
  blocks: string
  edges: string
  seq: number
  lastId: string | null
}

/** Change number first, then blocks, then edges. */
interface CanvasSlice {
  kind: 'seq' | 'block' | 'edge'
  /** JSON array items without brackets. */
  json: string
}

/** One 30 MB value would block the event loop for too long. */
export function readAll(sql: Sql, orgId: string, projectId: string) {
  const slices = (items: Fragment) => sql`
    select string_agg(s.json, ',' order by s.n) from (select i.*, (i.n - 1) / ${SLICE_ITEMS} as slice from (${items}) i) s
    group by s.slice order by s.slice`
  return sql<CanvasSlice[]>`
    select 'seq' as kind, p.change_seq::text as json from projects p where p.org_id = ${orgId} and p.id = ${projectId}
    union all select 'block', slice.* from (${slices(sql`
      select ${blockJson(sql)} as json, row_number() over (order by b.id) as n from blocks b
      where b.org_id = ${orgId} and b.project_id = ${projectId}`)}) slice
    union all select 'edge', slice.* from (${slices(sql`
      select ${jsonRow(sql, edgeColumns(sql))} as json, row_number() over (order by e.id) as n from edges e
      where e.org_id = ${orgId} and e.project_id = ${projectId}`)}) slice`
}

/** One statement, so one snapshot. The ids are an array, so that edges are read once even without statistics. */
export async function readPage(
  sql: Sql,
  orgId: string,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<CanvasPage> {
  const edges = sql`
    select e.* from edges e
    where e.org_id = ${orgId} and e.project_id = ${projectId} and e.from_block_id = any(array(select b.id from b))`
  const next = sql`(select count(*) > ${limit} from found)`
  const [row] = await sql<CanvasPage[]>`
    with found as (
      select * from blocks
      where org_id = ${orgId} and project_id = ${projectId} and ${after ? sql`id > ${after}` : sql`true`}
      order by id limit ${limit + 1}
    ), b as (select * from found order by id limit ${limit})
    select
      coalesce((select string_agg(${blockJson(sql)}, ',' order by b.id) from b), '') as blocks,
      coalesce((select string_agg(${jsonRow(sql, edgeColumns(sql))}, ',' order by e.id) from (${edges}) e), '') as edges,
      p.change_seq as seq, case when ${next} then (select id from b order by id desc limit 1) end as "lastId"
    from projects p where p.org_id = ${orgId} and p.id = ${projectId}`
  return row ?? { blocks: '', edges: '', seq: 0, lastId: null }
}

import { RUNTIME_KEYS } from '../../../../contract/canvas/block-fields.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

/** The projects whose canvases a run changed. */
export async function listChangedProjects(sql: Sql, orgId: string, runId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct project_id as id from canvas_changes where org_id = ${orgId} and run_id = ${runId}`
  return rows.map(({ id }) => id)
}

/** The blocks and edges that the run changed and that were changed by others afterwards. */
export async function listEditedSince(sql: Sql, orgId: string, projectId: string, runId: string) {
  const rows = await sql<{ id: string }[]>`
    select t.item_id as id
    from (
      select item_id, min(seq) as seq from canvas_changes
      where org_id = ${orgId} and project_id = ${projectId} and run_id = ${runId}
      group by item_id
    ) t
    where exists (
      select from canvas_changes c
      where c.org_id = ${orgId} and c.project_id = ${projectId} and c.item_id = t.item_id and c.seq > t.seq
        and c.run_id is distinct from ${runId} and not ${isStateOfBlock(sql)})
    order by t.item_id`
  return rows.map(({ id }) => id)
}

/** Whether the change `c` is the state of an agent block, which the server wrote. */
const isStateOfBlock = (sql: Sql): Fragment => sql`(
  c.entity = 'block' and c.action = 'updated' and c.after - 'metadata' = '{}'
    and (c.after -> 'metadata') - ${[...RUNTIME_KEYS]}::text[] = (c.before -> 'metadata') - ${[...RUNTIME_KEYS]}::text[]
    and exists (
      select from blocks b
      where b.org_id = c.org_id and b.project_id = c.project_id and b.id = c.item_id and b.type = 'agent'))`

/** The titles of blocks and the labels of edges, by id. */
export async function listTitles(sql: Sql, orgId: string, projectId: string, ids: string[]) {
  const rows = await sql<{ id: string; title: string | null }[]>`
    select b.id, b.title from blocks b
    where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = any(${ids}::uuid[])
    union all
    select e.id, e.label from edges e
    where e.org_id = ${orgId} and e.project_id = ${projectId} and e.id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, title }) => [id, title]))
}

export interface ItemPosition {
  projectId: string
  seq: number
}

/** The items that a run changed in these projects, each at its first change. Left out: created and deleted by the run. */
export const listChangedItems = (
  sql: Sql,
  orgId: string,
  runId: string,
  projectIds: string[],
  { after, limit }: { after: ItemPosition | null; limit: number },
) => sql<(ItemPosition & { id: string })[]>`
  select project_id as "projectId", item_id as id, min(seq) as seq from canvas_changes
  where org_id = ${orgId} and run_id = ${runId} and project_id = any(${projectIds}::uuid[])
  group by project_id, item_id
  having not ((array_agg(action order by seq))[1] = 'created' and (array_agg(action order by seq desc))[1] = 'deleted')
    ${after ? sql`and (project_id, min(seq)) > (${after.projectId}::uuid, ${after.seq}::bigint)` : sql``}
  order by project_id, min(seq) limit ${limit}`

export interface ItemChange extends ItemPosition {
  id: string
  kind: 'block' | 'edge'
  action: 'created' | 'updated' | 'moved' | 'deleted'
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** The changes of the run to these items, in order. */
export const listItemChanges = (
  sql: Sql,
  orgId: string,
  runId: string,
  items: readonly { projectId: string; id: string }[],
) => sql<ItemChange[]>`
  select c.project_id as "projectId", c.item_id as id, c.entity as kind, c.seq, c.action, c.before, c.after
  from unnest(${items.map(({ projectId }) => projectId)}::uuid[], ${items.map(({ id }) => id)}::uuid[]) w (project_id, id)
  join canvas_changes c on c.org_id = ${orgId} and c.project_id = w.project_id and c.item_id = w.id
  where c.run_id = ${runId} order by c.project_id, c.seq`

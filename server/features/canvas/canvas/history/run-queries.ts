import { RUNTIME_KEYS } from '../../../../../contract/canvas/block-fields.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'

export async function listChangedProjects(
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct project_id as id from canvas_changes
    where org_id = ${orgId} and run_id = any(${[...runIds]}::uuid[])`
  return rows.map(({ id }) => id)
}

/** Items the runs changed and others changed afterwards. */
export async function listEditedSince(sql: Sql, orgId: string, projectId: string, runIds: readonly string[]) {
  const ids = [...runIds]
  const rows = await sql<{ id: string }[]>`
    select t.item_id as id
    from (
      select item_id, min(seq) as seq from canvas_changes
      where org_id = ${orgId} and project_id = ${projectId} and run_id = any(${ids}::uuid[])
      group by item_id
    ) t
    where exists (
      select from canvas_changes c
      where c.org_id = ${orgId} and c.project_id = ${projectId} and c.item_id = t.item_id and c.seq > t.seq
        and (c.run_id is null or c.run_id <> all(${ids}::uuid[])) and not ${isStateOfBlock(sql)} and not ${isUndone(sql)})
    order by t.item_id`
  return rows.map(({ id }) => id)
}

/** Change `c` is agent block state, written by the server. */
const isStateOfBlock = (sql: Sql): Fragment => sql`(
  c.entity = 'block' and c.action = 'updated' and c.after - 'metadata' = '{}'
    and (c.after -> 'metadata') - ${[...RUNTIME_KEYS]}::text[] = (c.before -> 'metadata') - ${[...RUNTIME_KEYS]}::text[]
    and exists (
      select from blocks b
      where b.org_id = c.org_id and b.project_id = c.project_id and b.id = c.item_id and b.type = 'agent'))`

/** Change `c` belongs to an undone run or its undo: together they change nothing. */
const isUndone = (sql: Sql): Fragment => sql`(
  c.run_id is not null and exists (
    select from runs r join runs root on root.org_id = r.org_id and root.id = coalesce(r.undo_of, r.id)
    where r.org_id = c.org_id and r.id = c.run_id and root.restored_at is not null))`

/** A name needs only the beginning. */
const NAMED_CHARACTERS = 400

export const listBlockTexts = (sql: Sql, orgId: string, projectId: string, ids: readonly string[]) => sql<
  { id: string; title: string | null; content: string | null }[]
>`
  select id, title, left(content, ${NAMED_CHARACTERS}) as content from blocks
  where org_id = ${orgId} and project_id = ${projectId} and id = any(${[...ids]}::uuid[])`

export const listEdgeTexts = (sql: Sql, orgId: string, projectId: string, ids: readonly string[]) => sql<
  { id: string; label: string | null; fromBlockId: string; toBlockId: string }[]
>`
  select id, label, from_block_id as "fromBlockId", to_block_id as "toBlockId" from edges
  where org_id = ${orgId} and project_id = ${projectId} and id = any(${[...ids]}::uuid[])`

export interface ItemPosition {
  projectId: string
  seq: number
}

/** At their first change, without items both created and deleted. */
export const listChangedItems = (
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
  projectIds: string[],
  { after, limit }: { after: ItemPosition | null; limit: number },
) => sql<(ItemPosition & { id: string })[]>`
  select project_id as "projectId", item_id as id, min(seq) as seq from canvas_changes
  where org_id = ${orgId} and run_id = any(${[...runIds]}::uuid[]) and project_id = any(${projectIds}::uuid[])
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

export const listItemChanges = (
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
  items: readonly { projectId: string; id: string }[],
) => sql<ItemChange[]>`
  select c.project_id as "projectId", c.item_id as id, c.entity as kind, c.seq, c.action, c.before, c.after
  from unnest(${items.map(({ projectId }) => projectId)}::uuid[], ${items.map(({ id }) => id)}::uuid[]) w (project_id, id)
  join canvas_changes c on c.org_id = ${orgId} and c.project_id = w.project_id and c.item_id = w.id
  where c.run_id = any(${[...runIds]}::uuid[]) order by c.project_id, c.seq`

import type { Fragment, Sql } from '../../../../database/database.ts'
import { firstBatch, inBatch } from '../../../../database/delete-batch.ts'
import type { ProjectRow } from '../../../projects/projects/projects.ts'
import { type BlockRow, blockColumns, type EdgeRow, edgeColumns, FIELD_SQL } from '../records.ts'
import { ENTRY_BYTES, type HistoryEntry } from './history-entries.ts'

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

/** Includes every containing group, direct or not. */
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

/** Upstream blocks, top to bottom. */
export const listInputs = (sql: Sql, orgId: string, projectId: string, blockId: string, limit: number) =>
  sql<BlockRow[]>`
    select ${blockColumns(sql)} from blocks b
    where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id in (
      select e.from_block_id from edges e
      where e.org_id = ${orgId} and e.project_id = ${projectId} and e.to_block_id = ${blockId})
    order by b.y, b.x, b.id limit ${limit}`

/** Also those at these blocks. */
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

/** Two statements: lock the project, or compare `changeSeq` before and after. */
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

/** Constant text, so that the statement stays prepared. */

export async function insertBlocks(
  sql: Sql,
  orgId: string,
  projectId: string,
  rows: BlockRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into blocks (org_id, project_id, id, ${sql.unsafe(FIELD_SQL.columns)}, version, created_by, run_id, created_at,
      updated_at)
    select ${orgId}, ${projectId}, id, ${sql.unsafe(FIELD_SQL.names)}, version, "createdBy", "runId", "createdAt",
      "updatedAt"
    from ${blocksAsRows(sql, rows)}`
}

/** As rows `new`, sent as one JSON value. */
const blocksAsRows = (sql: Sql, rows: BlockRow[]): Fragment => sql`
  jsonb_to_recordset(${sql.json(rows as never)}) as new (id uuid, ${sql.unsafe(FIELD_SQL.declared)},
    version integer, "createdBy" uuid, "runId" uuid, "createdAt" timestamptz, "updatedAt" timestamptz)`

/** Moves are the most frequent write. Arrays take two thirds of JSON's time. */
export async function updatePositions(
  sql: Sql,
  orgId: string,
  projectId: string,
  rows: BlockRow[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const column = <F extends keyof BlockRow>(field: F) => rows.map((row) => row[field])
  await sql`
    update blocks b set x = new.x, y = new.y, width = new.width, height = new.height, rotation = new.rotation,
      z_index = new.z_index, parent_id = new.parent_id, version = new.version, run_id = ${first.runId},
      updated_at = ${first.updatedAt}
    from unnest(${column('id')}::uuid[], ${column('x')}::float8[], ${column('y')}::float8[],
      ${column('width')}::float8[], ${column('height')}::float8[], ${column('rotation')}::float8[],
      ${column('zIndex')}::integer[], ${column('parentId')}::uuid[], ${column('version')}::integer[]
    ) as new (id, x, y, width, height, rotation, z_index, parent_id, version)
    where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = new.id`
}

export async function updateBlocks(
  sql: Sql,
  orgId: string,
  projectId: string,
  rows: BlockRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update blocks b set ${sql.unsafe(FIELD_SQL.assigned)}, version = new.version, run_id = new."runId", updated_at = new."updatedAt"
    from ${blocksAsRows(sql, rows)}
    where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = new.id`
}

export async function insertEdges(
  sql: Sql,
  orgId: string,
  projectId: string,
  rows: EdgeRow[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into edges (org_id, project_id, id, from_block_id, to_block_id, label, condition, style, created_at)
    select ${orgId}, ${projectId}, id, "fromBlockId", "toBlockId", label, condition, style, ${now}
    from jsonb_to_recordset(${sql.json(rows as never)}) as new (id uuid, "fromBlockId" uuid, "toBlockId" uuid, label text,
      condition text, style jsonb)`
}

export async function updateEdges(
  sql: Sql,
  orgId: string,
  projectId: string,
  rows: EdgeRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update edges e set from_block_id = new."fromBlockId", to_block_id = new."toBlockId", label = new.label,
      condition = new.condition, style = new.style
    from jsonb_to_recordset(${sql.json(rows as never)}) as new (id uuid, "fromBlockId" uuid, "toBlockId" uuid, label text,
      condition text, style jsonb)
    where e.org_id = ${orgId} and e.project_id = ${projectId} and e.id = new.id`
}

export async function deleteBlocks(sql: Sql, orgId: string, projectId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from blocks where org_id = ${orgId} and project_id = ${projectId} and id = any(${ids})`
}

export async function deleteEdges(sql: Sql, orgId: string, projectId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from edges where org_id = ${orgId} and project_id = ${projectId} and id = any(${ids})`
}

/** One author's updates within this time form one entry. */
const COMBINED_SECONDS = 10

/** Stored with the project. */
type CanvasTotals = Pick<ProjectRow, 'changeSeq' | 'canvasBytes' | 'blockCount' | 'edgeCount' | 'zIndexMax'>

/**
 * An update directly following the same author's update to the same block replaces it: the combined entry has the last
 * one's number and values, and the values from before the first. All other positions stay exact, and entries with a
 * snapshot in between aren't combined.
 */
export async function insertChanges(
  sql: Sql,
  orgId: string,
  projectId: string,
  entries: HistoryEntry[],
  { changeSeq, canvasBytes, blockCount, edgeCount, zIndexMax }: CanvasTotals,
  now: Date,
): Promise<void> {
  const [first] = entries
  const previous =
    entries.length === 1 && first!.action === 'updated' && first!.entity === 'block'
      ? sql`
          delete from canvas_changes c
          where c.org_id = ${orgId} and c.project_id = ${projectId} and c.seq = ${first!.seq - 1} and c.action = 'updated'
            and c.item_id = ${first!.itemId} and c.user_id is not distinct from ${first!.userId}::uuid
            and c.run_id is not distinct from ${first!.runId}::uuid
            and coalesce(c.began_at, c.created_at) > ${now}::timestamptz - make_interval(secs => ${COMBINED_SECONDS})
            and not exists (
              select from snapshots s where s.org_id = c.org_id and s.project_id = c.project_id and s.seq = c.seq)
          returning c.before, c.after, coalesce(c.began_at, c.created_at) as began_at, c.bytes`
      : sql`select null::jsonb as before, null::jsonb as after, null::timestamptz as began_at, 0 as bytes where false`
  await sql`
    with previous as (${previous}), added as (
      insert into canvas_changes (org_id, project_id, seq, entity, item_id, action, before, after, user_id, run_id,
        created_at, began_at, bytes)
      select ${orgId}, ${projectId}, e.seq, e.entity, e."itemId", e.action, coalesce(e.before || p.before, e.before),
        coalesce(p.after || e.after, e.after), e."userId", e."runId", ${now}, p.began_at,
        coalesce(${ENTRY_BYTES} + octet_length((e.before || p.before)::text) + octet_length((p.after || e.after)::text),
          e.bytes)
      from jsonb_to_recordset(${sql.json(entries as never)}) as e (seq bigint, entity text, "itemId" uuid, action text,
        before jsonb, after jsonb, "userId" uuid, "runId" uuid, bytes integer)
      left join previous p on true
      returning bytes
    )
    update projects set change_seq = ${changeSeq}, canvas_bytes = ${canvasBytes}, block_count = ${blockCount},
      edge_count = ${edgeCount}, z_index_max = ${zIndexMax}, changed_at = ${now},
      history_bytes = history_bytes + (select sum(bytes) from added) - (select coalesce(sum(bytes), 0) from previous)
    where org_id = ${orgId} and id = ${projectId}`
}

/** For a purged project. Returns how many. */
export async function deleteCanvas(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const batchOf = (table: Fragment, where = sql``) =>
    inBatch(sql, sql`${table} t where t.org_id = ${orgId} and t.project_id = ${projectId} ${where}`, limit)
  return firstBatch([
    () => sql`delete from canvas_previews where ${batchOf(sql`canvas_previews`)}`,
    () => sql`delete from edges where ${batchOf(sql`edges`)}`,
    () => sql`delete from snapshots where ${batchOf(sql`snapshots`)}`,
    () => sql`delete from canvas_changes where ${batchOf(sql`canvas_changes`)}`,
    // A group must not be deleted before its blocks, and batches delete in any order.
    () =>
      sql`update blocks set parent_id = null where ${batchOf(sql`blocks`, sql`and parent_id is not null`)}`,
    () => sql`delete from blocks where ${batchOf(sql`blocks`)}`,
  ])
}

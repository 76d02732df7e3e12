import type { z } from 'zod'
import type { canvas } from '../../../../../contract/canvas/canvas.ts'
import type { CanvasChange } from '../../../../../contract/canvas/history-records.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { findProject, type ProjectRow } from '../../../projects/projects/projects.ts'
import { listSnapshotsAt } from './prune.ts'

/** Newest first, optionally for one item or run. */
export async function readHistory(ctx: Context<'vault'>, input: InputOf<typeof canvas.history>) {
  const { limit, cursor, itemId, runId } = input
  const project = await findProject(ctx, input.projectId)
  const { orgId, id } = project
  const name = JSON.stringify(['history', orgId, id, itemId, runId])
  const before = decodeCursor(ctx.vault, name, cursor)
  const rows = await listChanges(ctx.sql, orgId, id, { itemId, runId, before, limit: limit + 1 })
  const isRestorable = await restorableOf(ctx, project, rows)
  const items = rows.map((change) => ({ id: String(change.seq), change }))
  return cursorPage(ctx.vault, name, limit, items, ({ change }) => ({
    ...change,
    restorable: isRestorable(change.seq),
  }))
}

/** In pruned history, only snapshots can be restored. */
async function restorableOf({ sql }: Context, { orgId, id, prunedSeq }: ProjectRow, rows: { seq: number }[]) {
  const prunedSeqs = rows.map(({ seq }) => seq).filter((seq) => seq <= prunedSeq)
  const snapshotSeqs = new Set(prunedSeqs.length > 0 ? await listSnapshotsAt(sql, orgId, id, prunedSeqs) : [])
  return (seq: number) => seq > prunedSeq || snapshotSeqs.has(seq)
}

type ChangeRow = z.output<typeof CanvasChange>

interface HistoryFilter {
  itemId: string | undefined
  runId: string | undefined
  before: string | null
  limit: number
}

export async function listChanges(sql: Sql, orgId: string, projectId: string, filter: HistoryFilter) {
  const { itemId, runId, before, limit } = filter
  return sql<ChangeRow[]>`
    select c.seq, c.entity, c.item_id as "itemId", c.action, c.before, c.after, c.run_id as "runId",
      c.created_at as "createdAt", case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by
    from canvas_changes c left join users u on u.id = c.user_id
    where c.org_id = ${orgId} and c.project_id = ${projectId}
      ${itemId ? sql`and c.item_id = ${itemId}` : sql``} ${runId ? sql`and c.run_id = ${runId}` : sql``}
      ${before ? sql`and c.seq < ${before}` : sql``}
    order by c.seq desc limit ${limit}`
}

export async function hasChange(sql: Sql, orgId: string, projectId: string, seq: number): Promise<boolean> {
  const rows = await sql`
    select from canvas_changes where org_id = ${orgId} and project_id = ${projectId} and seq = ${seq}`
  return rows.length > 0
}

export interface FoldedRow {
  entity: 'block' | 'edge'
  id: string
  seq: number
  isNew: boolean
  /** Earlier values: all fields if a change removed the item. */
  before: Record<string, unknown> | null
  exists: boolean
}

export const foldSince = (sql: Sql, orgId: string, projectId: string, seq: number) =>
  fold(sql, orgId, projectId, sql`c.seq > ${seq}`)

export const foldRuns = (sql: Sql, orgId: string, projectId: string, runIds: readonly string[]) =>
  fold(sql, orgId, projectId, sql`c.run_id = any(${[...runIds]}::uuid[])`)

/** Each item from its own `seq` on. */
export const foldItems = (
  sql: Sql,
  orgId: string,
  projectId: string,
  items: { id: string; seq: number }[],
) => {
  const ids = items.map(({ id }) => id)
  const seqs = items.map(({ seq }) => seq)
  return fold(
    sql,
    orgId,
    projectId,
    sql`c.item_id = any(${ids}) and c.seq >= (
      select item.seq from unnest(${ids}::uuid[], ${seqs}::bigint[]) item (id, seq) where item.id = c.item_id)`,
  )
}

/**
 * Descending, so that a field's earliest value wins. Without statistics, the planner may choose an index that lists the
 * whole canvas per item: the lookup order forces the primary key.
 */
async function fold(sql: Sql, orgId: string, projectId: string, condition: Fragment) {
  return sql<FoldedRow[]>`
    select f.*, case f.entity
      when 'block' then exists (
        select from blocks b where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = any(array[f.id])
        order by b.id limit 1)
      else exists (
        select from edges e where e.org_id = ${orgId} and e.project_id = ${projectId} and e.id = any(array[f.id])
        order by e.id limit 1)
      end as "exists"
    from (
      select c.entity, c.item_id as id, min(c.seq) as seq, (array_agg(c.action order by c.seq))[1] = 'created' as "isNew",
        jsonb_object_agg(was.key, was.value order by c.seq desc) filter (where was.key is not null) as before
      from canvas_changes c left join lateral jsonb_each(c.before) was on true
      where c.org_id = ${orgId} and c.project_id = ${projectId} and ${condition}
      group by c.entity, c.item_id
    ) f`
}

import type { InputOf } from '../../../../contract/endpoint.ts'
import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { lockTable } from './access.ts'
import { matchesQuery } from './filter.ts'
import { type GivenLink, requireLinks } from './links.ts'
import { NO_ROWS, nextSeq, recordChange, writerOf } from './record-change.ts'
import type { TableRow } from './records.ts'
import { parseValues } from './upsert.ts'
import type { Cell } from './values.ts'

/** Sets the same values in all selected rows. */
export const updateSelected = (
  ctx: Context<'quotas'>,
  { id, values, ...selection }: InputOf<typeof tables.updateRows>,
) =>
  ctx.transaction(async (inside) => {
    const table = await lockTable(inside, id)
    const links: GivenLink[] = []
    const cells = parseValues(table, values, 'body.values', links)
    if (table.key !== null && Object.hasOwn(cells, table.key))
      throw badField(`body.values.${table.key}`, 'must be absent, because it is the key')
    await requireLinks(inside, table, links)
    const seq = nextSeq(table)
    const { orgId } = table
    const selected = matchesSelection(inside.sql, table, selection)
    const { count: updated, bytes } = await setCells(inside.sql, orgId, id, selected, {
      ...{ cells, seq, now: ctx.now() },
      ...writerOf(ctx),
    })
    const rows = { ...NO_ROWS, updated, bytes }
    if (updated > 0) await recordChange(inside, table, { seq, kind: 'rows', rows })
    return { seq: table.seq, updated }
  })

export const removeSelected = (
  ctx: Context<'quotas'>,
  { id, ...selection }: InputOf<typeof tables.removeRows>,
) =>
  ctx.transaction(async (inside) => {
    const table = await lockTable(inside, id)
    const seq = nextSeq(table)
    const selected = matchesSelection(inside.sql, table, selection)
    const { count: deleted, bytes } = await deleteRows(inside.sql, table.orgId, id, selected, seq)
    const rows = { ...NO_ROWS, deleted, bytes: -bytes }
    if (deleted > 0) await recordChange(inside, table, { seq, kind: 'rows', rows })
    return { seq: table.seq, deleted }
  })

type Selection = Pick<InputOf<typeof tables.removeRows>, 'ids' | 'filter'>

function matchesSelection(sql: Sql, { columns, key }: TableRow, { ids, filter }: Selection): Fragment {
  if (ids) return sql`r.id = any(${ids}::uuid[])`
  return matchesQuery(sql, { columns, key, filter, path: 'body.filter' })
}

interface SetCells {
  cells: Record<string, Cell | null>
  seq: number
  userId: string | null
  runId: string | null
  now: Date
}

/** Only rows that differ. `bytes` is by how many the values grew. */
async function setCells(
  sql: Sql,
  orgId: string,
  tableId: string,
  selected: Fragment,
  { cells, seq, userId, runId, now }: SetCells,
): Promise<{ count: number; bytes: number }> {
  const ids = Object.keys(cells)
  if (ids.length === 0) return { count: 0, bytes: 0 }
  const emptied = ids.filter((id) => cells[id] === null)
  const filled = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== null))
  const merged = sql`(r.cells || ${sql.json(filled)}::jsonb) - ${emptied}::text[]`
  const [row] = await sql<{ count: number; bytes: number; largest: number }[]>`
    with target as materialized (
      select r.id, r.cells, r.bytes, ${merged} as merged from table_rows r
      where r.org_id = ${orgId} and r.table_id = ${tableId} and ${selected} and r.cells <> ${merged}
    ), written as (
      update table_rows r set cells = t.merged, bytes = octet_length(t.merged::text), seq = ${seq}, updated_by = ${userId},
        run_id = ${runId}, updated_at = ${now}
      from target t where r.org_id = ${orgId} and r.table_id = ${tableId} and r.id = t.id
      returning r.bytes, r.bytes - t.bytes as grown
    ), history as (
      insert into table_row_changes (org_id, table_id, seq, row_id, before, after)
      select ${orgId}, ${tableId}, ${seq}, t.id, changed.before, changed.after
      from target t cross join lateral (
        select jsonb_object_agg(k, coalesce(t.cells -> k, 'null')) as before,
          jsonb_object_agg(k, coalesce(t.merged -> k, 'null')) as after
        from unnest(${ids}::text[]) k where t.cells -> k is distinct from t.merged -> k
      ) changed
    )
    select count(*) as count, coalesce(sum(grown), 0)::bigint as bytes, coalesce(max(bytes), 0) as largest
    from written`.unprepared()
  const { largest, ...result } = row!
  if (largest > TABLE_LIMITS.rowBytes)
    throw badField('body.values', `must not make a row larger than ${TABLE_LIMITS.rowBytes} bytes`)
  return result
}

/** `bytes` is what the rows took. */
export async function deleteRows(
  sql: Sql,
  orgId: string,
  tableId: string,
  selected: Fragment,
  seq: number,
): Promise<{ count: number; bytes: number }> {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    with gone as (
      delete from table_rows r where r.org_id = ${orgId} and r.table_id = ${tableId} and ${selected}
      returning r.id, r.cells, r.bytes
    ), history as (
      insert into table_row_changes (org_id, table_id, seq, row_id, before, after)
      select ${orgId}, ${tableId}, ${seq}, g.id, g.cells, null from gone g
    )
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from gone`.unprepared()
  return row!
}

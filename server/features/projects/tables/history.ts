import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { RowChange, TableChange } from '../../../../contract/projects/table-fields.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import type { Sql } from '../../../database/database.ts'
import { findTable } from './access.ts'
import { shownColumns } from './columns.ts'
import { readLinks } from './links.ts'
import { presentCells } from './present-rows.ts'
import type { Cells } from './values.ts'

type ListedChange = z.output<typeof TableChange>

export async function listChanges(
  ctx: Context<'vault'>,
  { id, limit, cursor }: InputOf<typeof tables.changes>,
) {
  const { orgId } = await findTable(ctx, id)
  const list = `table changes ${orgId} ${id}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listChangeRows(ctx.sql, orgId, id, { before: toSeq(before), limit: limit + 1 })
  const withIds = rows.map((row) => ({ ...row, id: String(row.seq) }))
  return cursorPage(ctx.vault, list, limit, withIds, (change): ListedChange => {
    const { id: _, ...row } = change
    return row
  })
}

const toSeq = (position: string | null) => (position === null ? null : Number(position))

interface Page {
  before: number | null
  limit: number
}

const listChangeRows = (sql: Sql, orgId: string, tableId: string, { before, limit }: Page) => sql<
  ListedChange[]
>`
  select c.seq, c.kind, c.rows_created as created, c.rows_updated as updated, c.rows_deleted as deleted,
    array(select jsonb_object_keys(c.after)) as fields,
    case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by, c.run_id as "runId", c.undoes,
    c.undone_by is not null as "isUndone", c.created_at as "createdAt"
  from (
    select * from table_changes c
    where c.org_id = ${orgId} and c.table_id = ${tableId} and ${before === null ? sql`true` : sql`c.seq < ${before}`}
    order by c.seq desc limit ${limit}
  ) c left join users u on u.id = c.user_id
  order by c.seq desc`

export async function listRowChanges(
  ctx: Context<'vault'>,
  { id, rowId, limit, cursor }: InputOf<typeof tables.rowChanges>,
) {
  const table = await findTable(ctx, id)
  const { orgId } = table
  const list = `row changes ${orgId} ${id} ${rowId}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listRowChangeRows(ctx.sql, orgId, {
    tableId: id,
    rowId,
    before: toSeq(before),
    limit: limit + 1,
  })
  const cells = rows.flatMap((row) => [row.before ?? {}, row.after ?? {}])
  const links = await readLinks(ctx, table, cells)
  const columns = shownColumns(table.columns)
  const present = (values: Cells | null) => values && presentCells(columns, values, links)
  const withIds = rows.map((row) => ({ ...row, id: String(row.seq) }))
  return cursorPage(ctx.vault, list, limit, withIds, (change) => {
    const { id: _, ...row } = change
    return { ...row, rowId, before: present(row.before), after: present(row.after) }
  })
}

type StoredRowChange = Omit<z.output<typeof RowChange>, 'rowId' | 'before' | 'after'> & {
  before: Cells | null
  after: Cells | null
}

const listRowChangeRows = (
  sql: Sql,
  orgId: string,
  { tableId, rowId, before, limit }: Page & { tableId: string; rowId: string },
) => sql<StoredRowChange[]>`
  select c.seq, c.before, c.after, h.run_id as "runId", h.created_at as "createdAt",
    case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by
  from (
    select * from table_row_changes c
    where c.org_id = ${orgId} and c.table_id = ${tableId} and c.row_id = ${rowId}
      and ${before === null ? sql`true` : sql`c.seq < ${before}`}
    order by c.seq desc limit ${limit}
  ) c cross join lateral (
    select * from table_changes h
    where h.org_id = ${orgId} and h.table_id = ${tableId} and h.seq = any(array[c.seq]) order by h.seq limit 1
  ) h left join users u on u.id = h.user_id
  order by c.seq desc`

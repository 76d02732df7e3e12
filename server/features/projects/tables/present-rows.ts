import type { z } from 'zod'
import type { Row } from '../../../../contract/projects/table-fields.ts'
import type { Context } from '../../../context.ts'
import { type StoredColumn, shownColumns } from './columns.ts'
import { type LinkTitles, linkGroup, readLinks } from './links.ts'
import type { RowRecord, TableRow } from './records.ts'
import type { Cells } from './values.ts'

type ShownTable = Pick<TableRow, 'projectId' | 'columns'>

/** With the titles of linked items. */
export async function presentRows(
  ctx: Context,
  table: ShownTable,
  rows: readonly RowRecord[],
): Promise<z.output<typeof Row>[]> {
  const links = await readLinks(
    ctx,
    table,
    rows.map(({ cells }) => cells),
  )
  const columns = shownColumns(table.columns)
  return rows.map(({ cells, ...row }) => ({ ...row, values: presentCells(columns, cells, links) }))
}

/** Only shown columns, in their order. A null cell stays: a history entry has them. */
export function presentCells(
  columns: readonly StoredColumn[],
  cells: Cells | Record<string, null>,
  links: LinkTitles,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const column of columns) {
    if (!Object.hasOwn(cells, column.id)) continue
    const cell = cells[column.id]!
    if (cell === null) values[column.id] = null
    else if (column.type === 'choice') {
      if (column.choices?.some(({ id }) => id === cell)) values[column.id] = cell
    } else if (column.type === 'link') values[column.id] = presentLink(links, column, cell as string)
    else values[column.id] = cell
  }
  return values
}

export const isOutsideLink = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'outside' in value

export function presentLink(links: LinkTitles, column: StoredColumn, id: string) {
  const found = links.get(linkGroup(column))?.get(id)
  return {
    id,
    title: found?.title ?? null,
    missing: found === undefined,
    ...(found?.isOutside && { outside: true as const }),
  }
}

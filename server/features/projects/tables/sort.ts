import type { z } from 'zod'
import type { SortInput } from '../../../../contract/projects/table-fields.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { requireColumn, type StoredColumn } from './columns.ts'
import { numberCell } from './filter.ts'

export type Sort = z.output<typeof SortInput>

/** The sorted values of the last row on a page, as text, and its id. */
export interface SortPosition {
  values: (string | null)[]
  id: string
}

export interface RowOrder {
  orderBy: Fragment
  /** The sorted values as a list of texts, for the next position. */
  values: Fragment
  after: (position: SortPosition) => Fragment
}

/** Long texts that begin alike sort by creation. */
const SORTED_CHARACTERS = 100

export interface SortKey {
  value: Fragment
  isNumeric: boolean
  isDescending: boolean
}

/**
 * Rows of a group are together. Empty cells come last. Equal values are in the order of creation, so every row has its
 * place.
 */
export function rowOrder(
  sql: Sql,
  columns: readonly StoredColumn[],
  sorts: readonly Sort[],
  { path = 'query.sort', groups = [] }: { path?: string; groups?: readonly SortKey[] } = {},
): RowOrder {
  const sorted = sorts.map(({ column: ref, order }, index): SortKey => {
    const column = requireColumn(columns, ref, `${path}.${index}.column`)
    if (column.type === 'link') throw badField(`${path}.${index}.column`, 'must not be a link')
    return { ...sortedValue(sql, column), isDescending: order === 'desc' }
  })
  const keys = [...groups, ...sorted]
  const orders = keys.map((key) => sql`${ordered(sql, key)},`)
  const values = keys.map(({ value }, index) =>
    index === 0 ? sql`(${value})::text` : sql`, (${value})::text`,
  )
  return {
    orderBy: sql`${orders.length > 0 ? orders : sql``} r.id`,
    values: keys.length === 0 ? sql`array[]::text[]` : sql`array[${values}]`,
    after: (position) => isAfter(sql, keys, position),
  }
}

export const ordered = (sql: Sql, { value, isDescending }: SortKey): Fragment =>
  isDescending ? sql`${value} desc nulls last` : sql`${value} asc nulls last`

function sortedValue(sql: Sql, column: StoredColumn): Pick<SortKey, 'value' | 'isNumeric'> {
  const { id, type, choices = [] } = column
  if (type === 'number' || type === 'money') return { value: numberCell(sql, column), isNumeric: true }
  if (type === 'boolean')
    return { value: sql`case when r.cells ->> ${id} = 'true' then 1 else 0 end`, isNumeric: true }
  if (type === 'choice') {
    const ids = choices.map((choice) => choice.id)
    return { value: sql`array_position(${ids}::text[], r.cells ->> ${id})`, isNumeric: true }
  }
  if (type === 'date') return { value: sql`(r.cells ->> ${id}) collate "C"`, isNumeric: false }
  return { value: sql`lower(left(r.cells ->> ${id}, ${SORTED_CHARACTERS})) collate "C"`, isNumeric: false }
}

/** A row follows if it's equal in the first keys and later in the next. */
function isAfter(sql: Sql, keys: readonly SortKey[], { values, id }: SortPosition): Fragment {
  return keys.reduceRight((rest, { value, isNumeric, isDescending }, index) => {
    const given = values[index] ?? null
    if (given === null) return sql`(${value} is null and ${rest})`
    const at = isNumeric ? sql`${given}::numeric` : sql`${given}::text`
    const follows = isDescending ? sql`${value} < ${at}` : sql`${value} > ${at}`
    return sql`(${follows} or ${value} is null or (${value} = ${at} and ${rest}))`
  }, sql`r.id > ${id}` as Fragment)
}

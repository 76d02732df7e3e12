import type { z } from 'zod'
import type { GroupInput } from '../../../../contract/projects/table-fields.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { requireColumn, type StoredColumn } from './columns.ts'
import { numberCell } from './filter.ts'
import type { SortKey } from './sort.ts'

export type Group = z.output<typeof GroupInput>

export interface GroupKey {
  column: StoredColumn
  /** The group of row `r`, as text. Null for an empty cell. */
  key: Fragment
  /** In the order of the groups, for rows and, with the key's name, for the groups themselves. */
  sortKeys: (key: Fragment) => SortKey[]
}

/** Longer texts that begin alike are one group. */
const GROUPED_CHARACTERS = 200

export function groupKey(
  sql: Sql,
  columns: readonly StoredColumn[],
  { column: ref, part, order }: Group,
  path: string,
): GroupKey {
  const column = requireColumn(columns, ref, `${path}.column`)
  if (part !== undefined && column.type !== 'date')
    throw badField(`${path}.part`, 'must be absent, except for dates')
  const isDescending = order === 'desc'
  return {
    column,
    key: keyText(sql, column, part),
    sortKeys: (key) => sortValues(sql, column, key).map((value) => ({ ...value, isDescending })),
  }
}

function keyText(sql: Sql, { id, type, choices = [] }: StoredColumn, part: Group['part']): Fragment {
  if (type === 'date') return sql`left(r.cells ->> ${id}, ${PART_CHARACTERS[part ?? 'day']})`
  if (type === 'choice') {
    const ids = choices.map((choice) => choice.id)
    return sql`case when r.cells ->> ${id} = any(${ids}::text[]) then r.cells ->> ${id} end`
  }
  if (type === 'boolean') return sql`coalesce(r.cells ->> ${id}, 'false')`
  if (type === 'number' || type === 'money') return sql`trim_scale(${numberCell(sql, { id })})::text`
  return sql`left(r.cells ->> ${id}, ${GROUPED_CHARACTERS})`
}

/** Of 2027-01-31. */
const PART_CHARACTERS = { day: 10, month: 7, year: 4 } as const

function sortValues(
  sql: Sql,
  { type, choices = [] }: StoredColumn,
  key: Fragment,
): Pick<SortKey, 'value' | 'isNumeric'>[] {
  if (type === 'number' || type === 'money') return [{ value: sql`(${key})::numeric`, isNumeric: true }]
  if (type === 'choice') {
    const ids = choices.map((choice) => choice.id)
    return [{ value: sql`array_position(${ids}::text[], ${key})`, isNumeric: true }]
  }
  const exact = { value: sql`(${key}) collate "C"`, isNumeric: false }
  return type === 'text' ? [{ value: sql`lower(${key}) collate "C"`, isNumeric: false }, exact] : [exact]
}

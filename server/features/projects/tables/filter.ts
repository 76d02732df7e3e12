import type { Condition, Filter } from '../../../../contract/projects/table-fields.ts'
import { type FilterOp, OPS_BY_TYPE, TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { requireColumn, type StoredColumn, shownColumns } from './columns.ts'
import { type Cell, parseValue } from './values.ts'

export interface RowQuery {
  columns: readonly StoredColumn[]
  /** The key column, whose values have an index. */
  key: string | null
  filter?: Filter | undefined
  search?: string | undefined
  /** Of the filter, in errors. */
  path: string
}

/**
 * For rows `r`, after the condition that names their table. Values become parameters. Nothing can fail on another
 * table's rows, which the planner may read first.
 */
export function matchesQuery(sql: Sql, { filter, search, ...query }: RowQuery): Fragment {
  const count = filter ? countConditions(filter) : 0
  if (count > TABLE_LIMITS.conditions)
    throw badField(query.path, `must have at most ${TABLE_LIMITS.conditions} conditions`)
  const matches = filter ? compile(sql, query, filter, query.path) : sql`true`
  return search ? sql`${matches} and ${matchesSearch(sql, query.columns, search)}` : matches
}

const countConditions = (filter: Filter): number =>
  'column' in filter ? 1 : listOf(filter).reduce((sum, part) => sum + countConditions(part), 0)

const listOf = (filter: Exclude<Filter, Condition>) => ('all' in filter ? filter.all : filter.any)

type Compiled = Pick<RowQuery, 'columns' | 'key'>

function compile(sql: Sql, query: Compiled, filter: Filter, path: string): Fragment {
  // Null, for an empty cell, doesn't match: nothing negates it, and a `coalesce` would keep the key's index from use.
  if ('column' in filter) return sql`(${compileCondition(sql, query, filter, path)})`
  const isAll = 'all' in filter
  const word = isAll ? 'all' : 'any'
  const parts = listOf(filter).map((part, index) => compile(sql, query, part, `${path}.${word}.${index}`))
  if (parts.length === 0) return isAll ? sql`true` : sql`false`
  return parts.reduce((joined, part) => (isAll ? sql`(${joined} and ${part})` : sql`(${joined} or ${part})`))
}

function compileCondition(
  sql: Sql,
  { columns, key }: Compiled,
  condition: Condition,
  path: string,
): Fragment {
  const { column: ref, op, value } = condition
  const column = requireColumn(columns, ref, `${path}.column`)
  if (!OPS_BY_TYPE[column.type].includes(op))
    throw badField(`${path}.op`, `must be one of ${OPS_BY_TYPE[column.type].join(', ')} for ${column.type}`)
  if (op === 'empty' || op === 'not_empty') {
    if (value !== undefined) throw badField(`${path}.value`, `must be absent for ${op}`)
    return op === 'empty' ? sql`not ${isFilled(sql, column)}` : isFilled(sql, column)
  }
  if (op === 'in' || op === 'not_in') {
    const cells = parseList(column, value, `${path}.value`)
    const isIn = isAnyOf(sql, column, cells, column.id === key)
    return op === 'in' ? isIn : sql`not coalesce(${isIn}, false)`
  }
  if (op === 'contains' || op === 'not_contains' || op === 'starts_with')
    return matchesText(sql, column, op, value, `${path}.value`)
  const cell = parseCell(column, value, `${path}.value`)
  if (op === 'eq') return isEqual(sql, column, cell, column.id === key)
  if (op === 'ne') return sql`not coalesce(${isEqual(sql, column, cell, false)}, false)`
  return compare(sql, column, op, cell)
}

function parseCell(column: StoredColumn, value: unknown, path: string): Cell {
  const parsed = parseValue(column, value)
  if ('problem' in parsed) throw badField(path, parsed.problem)
  if (parsed.cell === null) throw badField(path, 'is required: use the op empty for empty cells')
  return parsed.cell
}

function parseList(column: StoredColumn, value: unknown, path: string): Cell[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > TABLE_LIMITS.rowsPerCall)
    throw badField(path, `must be a list of 1 to ${TABLE_LIMITS.rowsPerCall} values`)
  return value.map((item, index) => parseCell(column, item, `${path}.${index}`))
}

const textCell = (sql: Sql, { id }: StoredColumn): Fragment => sql`(r.cells ->> ${id})`

/** A number or amount, for comparisons and sums. */
export const numberCell = (sql: Sql, { id }: Pick<StoredColumn, 'id'>): Fragment =>
  sql`table_number(r.cells -> ${id})`

const isNumeric = ({ type }: StoredColumn) => type === 'number' || type === 'money'

/** A removed choice reads as empty. */
function isFilled(sql: Sql, column: StoredColumn): Fragment {
  if (column.type !== 'choice') return sql`${textCell(sql, column)} is not null`
  const ids = (column.choices ?? []).map(({ id }) => id)
  return sql`coalesce(${textCell(sql, column)} = any(${ids}::text[]), false)`
}

/** An unchecked box is false, whether somebody unchecked it or not. */
function isEqual(sql: Sql, column: StoredColumn, cell: Cell, isKey: boolean): Fragment {
  if (column.type === 'boolean') return sql`coalesce(${textCell(sql, column)}, 'false') = ${String(cell)}`
  if (isKey) return isAnyOf(sql, column, [cell], true)
  if (isNumeric(column)) return sql`${numberCell(sql, column)} = ${String(cell)}::numeric`
  return sql`${textCell(sql, column)} = ${String(cell)}`
}

function isAnyOf(sql: Sql, column: StoredColumn, cells: readonly Cell[], isKey: boolean): Fragment {
  if (isKey) return sql`r.key_text = any(${keyTexts(sql, cells)})`
  const texts = cells.map(String)
  return isNumeric(column)
    ? sql`${numberCell(sql, column)} = any(${texts}::text[]::numeric[])`
    : sql`${textCell(sql, column)} = any(${texts}::text[])`
}

/** As PostgreSQL writes them, which for numbers isn't as JavaScript does. */
export const keyTexts = (sql: Sql, cells: readonly Cell[]): Fragment =>
  sql`array(select jsonb_array_elements_text(${sql.json(cells)}::jsonb))`

function compare(sql: Sql, column: StoredColumn, op: FilterOp, cell: Cell): Fragment {
  const left = isNumeric(column) ? numberCell(sql, column) : sql`${textCell(sql, column)} collate "C"`
  const right = isNumeric(column) ? sql`${String(cell)}::numeric` : sql`${String(cell)}`
  if (op === 'gt') return sql`${left} > ${right}`
  if (op === 'gte') return sql`${left} >= ${right}`
  if (op === 'lt') return sql`${left} < ${right}`
  return sql`${left} <= ${right}`
}

export const escapeLike = (text: string) => text.replace(/[\\%_]/g, (character) => `\\${character}`)

function matchesText(
  sql: Sql,
  column: StoredColumn,
  op: 'contains' | 'not_contains' | 'starts_with',
  value: unknown,
  path: string,
): Fragment {
  const pattern = escapeLike(String(parseCell(column, value, path)))
  if (op === 'starts_with') return sql`${textCell(sql, column)} ilike ${`${pattern}%`}`
  const contains = sql`${textCell(sql, column)} ilike ${`%${pattern}%`}`
  return op === 'contains' ? contains : sql`not coalesce(${contains}, false)`
}

/** In texts, numbers, amounts and dates, and in the names of choices. */
function matchesSearch(sql: Sql, columns: readonly StoredColumn[], search: string): Fragment {
  const shown = shownColumns(columns)
  const pattern = `%${escapeLike(search)}%`
  const plain = shown
    .filter(({ type }) => type !== 'choice' && type !== 'link' && type !== 'boolean')
    .map(({ id }) => id)
  const term = search.toLowerCase()
  const chosen = shown.flatMap(({ id, type, choices = [] }) => {
    const matching = choices.filter(({ name }) => name.toLowerCase().includes(term))
    return type === 'choice' && matching.length > 0 ? [{ id, choices: matching.map((each) => each.id) }] : []
  })
  const inTexts = plain.reduce(
    (joined, id) => sql`${joined} or r.cells ->> ${id} ilike ${pattern}`,
    sql`false` as Fragment,
  )
  return chosen.reduce(
    (joined, { id, choices }) =>
      sql`(${joined} or coalesce(r.cells ->> ${id} = any(${choices}::text[]), false))`,
    sql`(${inTexts})` as Fragment,
  )
}

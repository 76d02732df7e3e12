import type { InputOf } from '../../../../contract/endpoint.ts'
import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { findTable } from './access.ts'
import { requireColumn, type StoredColumn } from './columns.ts'
import { matchesQuery, numberCell } from './filter.ts'
import { type GroupKey, groupKey } from './group.ts'
import { readLinks } from './links.ts'
import { isOutsideLink, presentLink } from './present-rows.ts'
import type { TableRow } from './records.ts'
import { ordered } from './sort.ts'
import type { Cells } from './values.ts'

type Input = InputOf<typeof tables.aggregate>
type MeasureOf = NonNullable<Input['measures']>[number]

const COUNT: MeasureOf[] = [{ op: 'count' }]

/** Exact: numbers and amounts are added as decimals. */
export async function aggregate(ctx: Context, { id, filter, search, group = [], measures = COUNT }: Input) {
  const { sql } = ctx
  const table = await findTable(ctx, id)
  const { columns, key } = table
  const keys = group.map((given, index) => groupKey(sql, columns, given, `query.group.${index}`))
  const isByValue = group.some(({ order }) => order !== undefined)
  const values = measures.map((given, index) => measure(sql, columns, given, `query.measures.${index}`))
  const matches = matchesQuery(sql, { columns, key, filter, search, path: 'query.filter' })
  const rows = await selectGroups(sql, table.orgId, id, { keys, values, matches, isByValue })
  const returned = rows.slice(0, TABLE_LIMITS.groupsReturned)
  const presented = await presentKeys(ctx, table, keys, returned)
  return {
    groups: returned.map((row, index) => ({
      keys: presented[index]!,
      values: row.values.map((value, n) => presentValue(measures[n]!, value)),
    })),
    truncated: rows.length > TABLE_LIMITS.groupsReturned,
    isOutside: table.hasOutside || presented.flat().some(isOutsideLink),
  }
}

interface Grouped {
  keys: (string | null)[]
  values: (string | null)[]
}

interface Grouping {
  keys: readonly GroupKey[]
  values: readonly Fragment[]
  matches: Fragment
  /** Otherwise, largest groups first. */
  isByValue: boolean
}

function selectGroups(
  sql: Sql,
  orgId: string,
  tableId: string,
  { keys, values, matches, isByValue }: Grouping,
) {
  const list = (parts: readonly Fragment[]) => parts.map((part, n) => (n === 0 ? part : sql`, ${part}`))
  const names = keys.map((_, n) => sql.unsafe(`g${n}`))
  const named = keys.map(({ key }, n) => sql`${key} as ${names[n]!},`)
  const sortKeys = keys.flatMap((each, n) => each.sortKeys(names[n]!))
  const byValue = list(sortKeys.map((key) => ordered(sql, key)))
  const order = isByValue ? sql`${byValue}` : sql`count(*) desc, ${byValue}`
  return sql<Grouped[]>`
    select ${keys.length > 0 ? sql`array[${list(names)}]` : sql`array[]::text[]`} as keys, array[${list(values)}] as values
    from (
      select ${named.length > 0 ? named : sql``} r.cells from table_rows r
      where r.org_id = ${orgId} and r.table_id = ${tableId} and ${matches}
    ) r
    ${keys.length > 0 ? sql`group by ${list(names)} order by ${order}` : sql``}
    limit ${TABLE_LIMITS.groupsReturned + 1}`.unprepared()
}

/** As in rows: a link has its title. */
async function presentKeys(
  ctx: Context,
  table: TableRow,
  groups: readonly GroupKey[],
  rows: readonly Grouped[],
): Promise<unknown[][]> {
  const cellsOf = ({ keys }: Grouped): Cells =>
    Object.fromEntries(groups.flatMap(({ column }, n) => (keys[n] === null ? [] : [[column.id, keys[n]!]])))
  const links = await readLinks(ctx, table, rows.map(cellsOf))
  return rows.map(({ keys }) =>
    keys.map((value, n) => {
      const { column } = groups[n]!
      if (value === null) return null
      if (column.type === 'boolean') return value === 'true'
      if (column.type === 'link') return presentLink(links, column, value)
      return column.type === 'number' ? Number(value) : value
    }),
  )
}

function measure(
  sql: Sql,
  columns: readonly StoredColumn[],
  { op, column: ref }: MeasureOf,
  path: string,
): Fragment {
  if (op === 'count') {
    if (ref !== undefined) throw badField(`${path}.column`, 'must be absent for count: use filled')
    return sql`count(*)::text`
  }
  if (ref === undefined) throw badField(`${path}.column`, `is required for ${op}`)
  const column = requireColumn(columns, ref, `${path}.column`)
  if (op === 'filled') return sql`count(r.cells ->> ${column.id})::text`
  const isNumeric = column.type === 'number' || column.type === 'money'
  if (!isNumeric && !(column.type === 'date' && (op === 'min' || op === 'max')))
    throw badField(`${path}.column`, `must be a number or money column for ${op}`)
  if (!isNumeric) {
    const date = sql`(r.cells ->> ${column.id}) collate "C"`
    return op === 'min' ? sql`min(${date})` : sql`max(${date})`
  }
  const value = numberCell(sql, column)
  if (op === 'sum') return sql`sum(${value})::text`
  // Amounts have six decimals at most.
  if (op === 'avg') return sql`trim_scale(round(avg(${value}), 6))::text`
  return op === 'min' ? sql`min(${value})::text` : sql`max(${value})::text`
}

const presentValue = ({ op }: MeasureOf, value: string | null) =>
  op === 'count' || op === 'filled' ? Number(value) : value

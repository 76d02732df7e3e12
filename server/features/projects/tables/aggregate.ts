import type { InputOf } from '../../../../contract/endpoint.ts'
import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { findTable } from './access.ts'
import { requireColumn, type StoredColumn } from './columns.ts'
import { matchesQuery, numberCell } from './filter.ts'

type Input = InputOf<typeof tables.aggregate>
type Group = NonNullable<Input['group']>[number]
type MeasureOf = NonNullable<Input['measures']>[number]

const COUNT: MeasureOf[] = [{ op: 'count' }]

/** Exact: numbers and amounts are added as decimals. */
export async function aggregate(ctx: Context, { id, filter, search, group = [], measures = COUNT }: Input) {
  const { sql } = ctx
  const table = await findTable(ctx, id)
  const { columns, key } = table
  const keys = group.map((given, index) => groupKey(sql, columns, given, `query.group.${index}`))
  const values = measures.map((given, index) => measure(sql, columns, given, `query.measures.${index}`))
  const matches = matchesQuery(sql, { columns, key, filter, search, path: 'query.filter' })
  const rows = await selectGroups(sql, table.orgId, id, { keys, values, matches })
  return {
    groups: rows.slice(0, TABLE_LIMITS.groupsReturned).map((row) => ({
      keys: row.keys.map((value, index) => presentKey(columns, group[index]!, value)),
      values: row.values.map((value, index) => presentValue(measures[index]!, value)),
    })),
    truncated: rows.length > TABLE_LIMITS.groupsReturned,
    isOutside: table.hasOutside,
  }
}

interface Grouped {
  keys: (string | null)[]
  values: (string | null)[]
}

function selectGroups(
  sql: Sql,
  orgId: string,
  tableId: string,
  { keys, values, matches }: { keys: Fragment[]; values: Fragment[]; matches: Fragment },
) {
  const list = (parts: Fragment[]) => parts.map((part, index) => (index === 0 ? part : sql`, ${part}`))
  const names = keys.map((_, index) => sql.unsafe(`g${index}`))
  const named = keys.map((part, index) => sql`${part} as ${names[index]!},`)
  return sql<Grouped[]>`
    select ${keys.length > 0 ? sql`array[${list(names)}]` : sql`array[]::text[]`} as keys, array[${list(values)}] as values
    from (
      select ${named.length > 0 ? named : sql``} r.cells from table_rows r
      where r.org_id = ${orgId} and r.table_id = ${tableId} and ${matches}
    ) r
    ${keys.length > 0 ? sql`group by ${list(names)} order by count(*) desc, ${list(names)}` : sql``}
    limit ${TABLE_LIMITS.groupsReturned + 1}`.unprepared()
}

/** Longer texts that begin alike are one group. */
const GROUPED_CHARACTERS = 200

function groupKey(
  sql: Sql,
  columns: readonly StoredColumn[],
  { column: ref, part }: Group,
  path: string,
): Fragment {
  const column = requireColumn(columns, ref, `${path}.column`)
  const { id, type, choices = [] } = column
  if (part !== undefined && type !== 'date')
    throw badField(`${path}.part`, 'must be absent, except for dates')
  if (type === 'date') return sql`left(r.cells ->> ${id}, ${PART_CHARACTERS[part ?? 'day']})`
  if (type === 'choice') {
    const ids = choices.map((choice) => choice.id)
    return sql`case when r.cells ->> ${id} = any(${ids}::text[]) then r.cells ->> ${id} end`
  }
  if (type === 'boolean') return sql`coalesce(r.cells ->> ${id}, 'false')`
  if (type === 'money') return sql`trim_scale(${numberCell(sql, column)})::text`
  return sql`left(r.cells ->> ${id}, ${GROUPED_CHARACTERS})`
}

/** Of 2027-01-31. */
const PART_CHARACTERS = { day: 10, month: 7, year: 4 } as const

function presentKey(columns: readonly StoredColumn[], { column: ref }: Group, value: string | null): unknown {
  const { type } = requireColumn(columns, ref, 'query.group')
  if (value === null) return null
  if (type === 'boolean') return value === 'true'
  return type === 'number' ? Number(value) : value
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

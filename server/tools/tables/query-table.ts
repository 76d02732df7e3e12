import { z } from 'zod'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { GroupInput, MeasureInput, SortInput } from '../../../contract/projects/table-fields.ts'
import { DATE_PARTS, TABLE_LIMITS } from '../../../contract/projects/table-options.ts'
import { tables } from '../../../contract/projects/tables.ts'
import { fence } from '../../language-models/fence.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { clip } from '../clip.ts'
import { projectInput } from '../project-ref.ts'
import { OUTSIDE_SOURCE } from '../text-guard.ts'
import type { Tool, ToolCall } from '../tool.ts'
import { describeColumns, resolveTable, type TableRecord, tableInput } from './table-ref.ts'
import { matchInput, toFilter, whereInput } from './where.ts'

const OUTPUT_BYTES = 24_000
/** A longer text shows its beginning; one row shows it whole. */
const CELL_BYTES = 1500
const ROWS_MAX = 200

const column = z.string()
const sortInput = z.strictObject({ column, order: SortInput.shape.order })
const groupInput = z.strictObject({
  column,
  part: z.enum(DATE_PARTS).optional(),
  order: GroupInput.shape.order.describe('By value; default: largest groups first'),
})
const measureInput = z.strictObject({ op: MeasureInput.shape.op, column: column.optional() })

const queryInput = z.strictObject({
  project: projectInput,
  table: tableInput,
  where: whereInput.optional(),
  match: matchInput,
  search: z.string().min(1).max(200).optional().describe('Part of a text in any column'),
  sort: z.array(sortInput).max(TABLE_LIMITS.sorts).optional(),
  columns: z.array(z.string()).optional().describe('Ids; default: all'),
  limit: z.int().min(1).max(ROWS_MAX).default(50),
  offset: z.int().min(0).max(TABLE_LIMITS.rows).default(0),
  group: z.array(groupInput).max(TABLE_LIMITS.groups).optional().describe('Returns groups instead of rows'),
  measures: z.array(measureInput).max(TABLE_LIMITS.measures).optional().describe('Returned instead of rows'),
})
type QueryInput = z.output<typeof queryInput>

export const queryTable: Tool<QueryInput> = {
  name: 'query_table',
  description:
    'Read rows of a project’s table, filtered and sorted, or count and add them up by group. Aggregate instead of reading many rows.',
  input: queryInput,
  effect: 'read',
  risk: 'none',
  isOutside: (output) => (output as { outside?: boolean }).outside === true,
  async run(call, input) {
    const table = await resolveTable(call, input.project, input.table)
    return input.group || input.measures ? aggregate(call, table, input) : readRows(call, table, input)
  },
}

async function readRows(call: ToolCall, table: TableRecord, input: QueryInput) {
  const { where, match, sort, search, limit, offset, columns } = input
  const { items, nextCursor } = await callEndpoint(call, tables.rows, {
    params: { id: table.id },
    query: {
      ...(where && { filter: JSON.stringify(toFilter(where, match)) }),
      ...(sort && { sort: JSON.stringify(sort) }),
      ...(search && { search }),
      ...{ limit, offset },
    },
  })
  const isWhole = items.length === 1
  const rows: Record<string, unknown>[] = []
  let bytes = 0
  for (const { id, values } of items) {
    const shown = Object.entries(values).filter(([column]) => !columns || columns.includes(column))
    const row = {
      id,
      ...Object.fromEntries(
        shown.map(([column, value]) => [column, withoutInstructions(toShown(value, isWhole), value)]),
      ),
    }
    bytes += Buffer.byteLength(JSON.stringify(row))
    if (bytes > OUTPUT_BYTES && rows.length > 0) break
    rows.push(row)
  }
  const hasMore = rows.length < items.length || nextCursor !== null
  const hasOutside = items
    .slice(0, rows.length)
    .some(({ values }) => Object.values(values).some(isOutsideLink))
  return {
    ...(hasOutside && { outside: true }),
    table: table.name,
    rowCount: table.rowCount,
    ...(offset === 0 && { columns: describeColumns(table) }),
    rows,
    ...(hasMore && { nextOffset: offset + rows.length }),
  }
}

function toShown(value: unknown, isWhole: boolean): unknown {
  if (typeof value === 'string') {
    const { text, next } = clip(value, isWhole ? OUTPUT_BYTES : CELL_BYTES)
    return next === null ? text : `${text}… (cut: filter for this row to read it whole)`
  }
  if (typeof value !== 'object' || value === null) return value
  const { id, title, missing } = value as { id: string; title: string | null; missing: boolean }
  return missing ? { id, missing } : { id, title }
}

/** A link's title may be the beginning of a text that the text guard knows as a whole. */
function withoutInstructions(shown: unknown, value: unknown): unknown {
  if (!isOutsideLink(value)) return shown
  const { id, title } = shown as { id: string; title: string | null }
  return { id, title: title && fence(title, OUTSIDE_SOURCE) }
}

const isOutsideLink = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { outside?: boolean }).outside === true

async function aggregate(call: ToolCall, table: TableRecord, input: QueryInput) {
  const { where, match, search, group = [], measures = [{ op: 'count' as const }] } = input
  const result = await callEndpoint(call, tables.aggregate, {
    params: { id: table.id },
    query: {
      ...(where && { filter: JSON.stringify(toFilter(where, match)) }),
      ...(search && { search }),
      ...(group.length > 0 && { group: JSON.stringify(group) }),
      measures: JSON.stringify(measures),
    },
  })
  const output = describeGroups(table, result, { group, measures })
  // Groups have no row whose author would be known.
  const hasTexts = group.length > 0 && result.isOutside
  if (!hasTexts) return output
  return { source: table.name, content: fence(JSON.stringify(output), 'the table'), outside: true }
}

function describeGroups(
  table: TableRecord,
  { groups, truncated }: OutputOf<typeof tables.aggregate>,
  { group, measures }: { group: z.output<typeof groupInput>[]; measures: z.output<typeof measureInput>[] },
) {
  const keys = group.map(({ column, part }) => (part ? `${column} (${part})` : column))
  const names = measures.map(({ op, column }) => (column === undefined ? op : `${op} ${column}`))
  const shown: Record<string, unknown>[] = []
  let bytes = 0
  for (const each of groups) {
    const entry = Object.fromEntries([
      ...keys.map((name, index) => [name, toShown(each.keys[index], false)] as const),
      ...names.map((name, index) => [name, each.values[index]] as const),
    ])
    bytes += Buffer.byteLength(JSON.stringify(entry))
    if (bytes > OUTPUT_BYTES) break
    shown.push(entry)
  }
  const isCut = truncated || shown.length < groups.length
  const which = group.some(({ order }) => order !== undefined) ? 'first' : 'largest'
  return {
    table: table.name,
    groups: shown,
    ...(isCut && { note: `These are the ${which} groups: filter to see others` }),
  }
}

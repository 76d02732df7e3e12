import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { Id, jsonValue, Timestamp, text } from '../fields.ts'
import {
  CHOICE_COLORS,
  COLUMN_TYPES,
  DATE_PARTS,
  FILTER_OPS,
  LINK_TARGETS,
  MEASURES,
  RESERVED_ID,
  TABLE_CHANGES,
  TABLE_HISTORY_DAYS,
  TABLE_LIMITS,
} from './table-options.ts'

/** Readable, and never changes or returns after the column is removed. */
export const ColumnId = z
  .string({ error: 'must be a string' })
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be 1 to 40 lowercase letters, digits and _, beginning with a letter')
  .refine((id) => id !== RESERVED_ID, `must not be ${RESERVED_ID}`)
  .meta({ examples: ['amount'] })
/** Also accepts a name, so that a caller who read the header needs no lookup. */
export const ColumnRef = text(1, TABLE_LIMITS.name).describe('A column’s id or exact name')

const ChoiceId = ColumnId
const choiceName = displayName(1, TABLE_LIMITS.choiceName)

export const Choice = z.strictObject({
  id: ChoiceId.optional().describe('Derived from the name if absent; cells contain it'),
  name: choiceName,
  color: z.enum(CHOICE_COLORS).optional(),
})

const Currency = z
  .string({ error: 'must be a currency code' })
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, 'must be a three-letter currency code, such as EUR')
  .meta({ examples: ['EUR'] })

const columnSettings = {
  currency: Currency.optional().describe('For money; required there'),
  time: z.boolean().optional().describe('For a date: also has a time of day'),
  choices: z
    .array(Choice)
    .max(TABLE_LIMITS.choices, `must have at most ${TABLE_LIMITS.choices} choices`)
    .optional()
    .describe('For a choice'),
  target: z.enum(LINK_TARGETS).optional().describe('For a link; required there'),
  tableId: Id.optional().describe('For links to rows: their table, in the same project; required there'),
}

export const ColumnInput = z.strictObject({
  id: ColumnId.optional().describe('Derived from the name if absent'),
  name: displayName(1, TABLE_LIMITS.name).meta({ examples: ['Amount'] }),
  type: z.enum(COLUMN_TYPES).default('text'),
  ...columnSettings,
})

/** In pixels. */
export const ColumnWidth = z.int().min(TABLE_LIMITS.columnWidth.min).max(TABLE_LIMITS.columnWidth.max)

export const ColumnChange = z.strictObject({
  id: ColumnRef,
  name: displayName(1, TABLE_LIMITS.name).optional(),
  currency: Currency.optional(),
  width: ColumnWidth.optional().describe(
    'In pixels, for views without a width of their own. Not part of the history',
  ),
  choices: columnSettings.choices.describe(
    'Replaces the list. Cells with a removed choice read as empty, and return with it',
  ),
})

export const Column = z.object({
  id: ColumnId,
  name: z.string(),
  type: z.enum(COLUMN_TYPES),
  currency: z.string().optional(),
  time: z.boolean().optional(),
  choices: z
    .array(z.object({ id: ChoiceId, name: z.string(), color: z.enum(CHOICE_COLORS).optional() }))
    .optional(),
  target: z.enum(LINK_TARGETS).optional(),
  tableId: Id.optional(),
  width: z.int().optional().describe('In pixels'),
})

export const Table = z.object({
  id: Id,
  projectId: Id,
  name: z.string(),
  description: z.string().nullable(),
  columns: z.array(Column),
  key: ColumnId.nullable().describe('Column whose values are unique'),
  rowCount: z.int(),
  bytes: z.int().describe('Size of all values'),
  seq: z.int().describe('Increases with every change to the table or its rows'),
  canEdit: z.boolean(),
  createdBy: Id.nullable().describe('Null for a share link guest'),
  runId: Id.nullable().describe('Run that created it; null if a user did'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Timestamp.nullable().describe(`It can be restored for ${TABLE_HISTORY_DAYS} days`),
})

export const Values = z
  .record(z.string(), z.unknown(), { error: 'must be an object with values by column' })
  .describe(
    'By column id or name. Text, a number, money as a decimal string such as `12.50`, a date as `2027-01-31` or an ISO 8601 time, a boolean, a choice’s id or name, or a link’s target id. Null or an empty text empties the cell',
  )
  .meta({ examples: [{ name: 'Ada' }] })

export const RowValues = z
  .record(z.string(), z.unknown())
  .describe(
    'By column id; empty cells are absent. A choice is its id; a link is `{ id, title, missing }`, and one whose target you can’t see reads as missing. `outside: true` marks a link’s title by a guest or an untrusted run',
  )

export const Row = z.object({
  id: Id,
  values: RowValues,
  version: z.int().describe('`seq` of its last change'),
  updatedBy: Id.nullable().describe('Null for a guest'),
  runId: Id.nullable().describe('Run that last changed it; null if a user did'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const RowInput = z.strictObject({
  id: Id.optional().describe('An existing row'),
  version: z.int().min(0).optional().describe('Returns CONFLICT if the row has changed since'),
  values: Values,
})

export interface Condition {
  column: string
  op: (typeof FILTER_OPS)[number]
  value?: unknown
}
export type Filter = Condition | { all: Filter[] } | { any: Filter[] }

const condition = z.strictObject({
  column: ColumnRef,
  op: z.enum(FILTER_OPS),
  value: jsonValue(3).optional().describe('A list for `in` and `not_in`; absent for `empty` and `not_empty`'),
})

const atDepth = (depth: number): z.ZodType<Filter> => {
  if (depth === 0) return condition
  const list = z.array(atDepth(depth - 1)).max(TABLE_LIMITS.conditions, 'has too many conditions')
  return z.union([condition, z.strictObject({ all: list }), z.strictObject({ any: list })], {
    error: 'must be { column, op, value }, { all: [...] } or { any: [...] }',
  })
}

export const FilterInput: z.ZodType<Filter> = atDepth(TABLE_LIMITS.filterDepth).meta({
  examples: [{ column: 'amount', op: 'gt', value: '100' }],
})

export const SortInput = z.strictObject({
  column: ColumnRef,
  order: z.enum(['asc', 'desc']).default('asc'),
})

export const GroupInput = z.strictObject({
  column: ColumnRef,
  part: z.enum(DATE_PARTS).optional().describe('For a date'),
  order: z.enum(['asc', 'desc']).optional().describe('By value; groups of empty cells come last'),
})

export const MeasureInput = z.strictObject({
  op: z.enum(MEASURES),
  column: ColumnRef.optional().describe('Required except for `count`'),
})

export const ViewSettings = z.strictObject({
  filter: FilterInput.optional(),
  sort: z.array(SortInput).max(TABLE_LIMITS.sorts).optional(),
  group: GroupInput.optional(),
  hidden: z.array(ColumnRef).max(TABLE_LIMITS.columns).optional(),
  order: z
    .array(ColumnRef)
    .max(TABLE_LIMITS.columns)
    .optional()
    .describe('Columns in this order; others follow'),
  widths: z.record(z.string(), ColumnWidth).optional().describe('In pixels, by column id'),
})

export const TableView = z.object({
  id: Id,
  tableId: Id,
  name: z.string(),
  settings: ViewSettings,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const TableChange = z.object({
  seq: z.int(),
  kind: z.enum(TABLE_CHANGES),
  created: z.int().describe('Rows'),
  updated: z.int(),
  deleted: z.int(),
  fields: z.array(z.string()).describe('Changed settings, such as `name` or `columns`'),
  by: z.object({ id: Id, name: z.string() }).nullable().describe('Null for a guest'),
  runId: Id.nullable(),
  undoes: z.int().nullable().describe('`seq` of the change that it undid'),
  isUndone: z.boolean(),
  createdAt: Timestamp,
})

export const RowChange = z.object({
  seq: z.int(),
  rowId: Id,
  before: RowValues.nullable().describe('Changed values; null for a created row'),
  after: RowValues.nullable().describe('Null for a deleted row; a null value is an empty cell'),
  by: z.object({ id: Id, name: z.string() }).nullable(),
  runId: Id.nullable(),
  createdAt: Timestamp,
})

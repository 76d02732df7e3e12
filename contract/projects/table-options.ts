/** Plain data without schemas, for the server, the dashboard and the CLI. */

export const COLUMN_TYPES = ['text', 'number', 'money', 'date', 'boolean', 'choice', 'link'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

/** Every object has this property, so it can't be a column. */
export const RESERVED_ID = 'constructor'

export const LINK_TARGETS = ['file', 'block', 'run', 'row'] as const
export type LinkTarget = (typeof LINK_TARGETS)[number]

export const CHOICE_COLORS = [
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
] as const

export const TABLE_LIMITS = {
  /** Per project, without deleted ones. */
  tables: 100,
  /** Per table, with removed ones whose values are still kept. */
  columns: 100,
  rows: 100_000,
  /** All values together. Bounds what a sort reads. */
  bytes: 268_435_456,
  rowBytes: 65_536,
  rowsPerCall: 1000,
  /** In characters. */
  name: 100,
  description: 2000,
  text: 10_000,
  keyText: 200,
  choiceName: 100,
  choices: 200,
  views: 50,
  conditions: 30,
  filterDepth: 2,
  filterCharacters: 8000,
  sorts: 3,
  groups: 3,
  measures: 10,
  /** Groups that an aggregate returns. */
  groupsReturned: 500,
  pageRows: 500,
  /** In pixels. */
  columnWidth: { min: 40, max: 1000 },
  /** Before the decimal point, and after it. */
  moneyDigits: { whole: 15, decimals: 6 },
} as const

/** Deleted tables and removed columns can be restored for this long. Also how long history is kept. */
export const TABLE_HISTORY_DAYS = 30
/** Calls in a table's history; the oldest are deleted. */
export const TABLE_CHANGES_MAX = 10_000

export const FILTER_OPS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'not_contains',
  'starts_with',
  'in',
  'not_in',
  'empty',
  'not_empty',
] as const
export type FilterOp = (typeof FILTER_OPS)[number]

const EMPTINESS = ['empty', 'not_empty'] as const
const EQUALITY = ['eq', 'ne', 'in', 'not_in', ...EMPTINESS] as const
const ORDER = [...EQUALITY, 'gt', 'gte', 'lt', 'lte'] as const

/** What a filter can ask of each type. */
export const OPS_BY_TYPE: Record<ColumnType, readonly FilterOp[]> = {
  text: [...EQUALITY, 'contains', 'not_contains', 'starts_with'],
  number: ORDER,
  money: ORDER,
  date: ORDER,
  boolean: ['eq', 'ne', ...EMPTINESS],
  choice: EQUALITY,
  link: EQUALITY,
}

export const MEASURES = ['count', 'filled', 'sum', 'avg', 'min', 'max'] as const
export const DATE_PARTS = ['day', 'month', 'year'] as const

export const TABLE_CHANGES = [
  'created',
  'updated',
  'deleted',
  'restored',
  'columns',
  'converted',
  'rows',
  'imported',
  'undone',
] as const

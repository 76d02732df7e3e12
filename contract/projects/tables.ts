import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, queryFlag, queryInteger, Timestamp, text } from '../fields.ts'
import { ProjectRef } from './projects.ts'
import {
  ColumnChange,
  ColumnId,
  ColumnInput,
  ColumnRef,
  FilterInput,
  GroupInput,
  MeasureInput,
  Row,
  RowChange,
  RowInput,
  SortInput,
  Table,
  TableChange,
  TableView,
  Values,
  ViewSettings,
} from './table-fields.ts'
import { COLUMN_TYPES, LINK_TARGETS, TABLE_LIMITS } from './table-options.ts'

export const TABLE_FORMATS = ['csv', 'xlsx'] as const
/** 1,000 rows; a table's average row is far smaller than the largest. */
const ROWS_BYTES_MAX = 16_777_216
/** Sort values are part of it. */
const ROW_CURSOR_CHARACTERS_MAX = 4000

const params = z.object({ id: Id })
const name = displayName(1, TABLE_LIMITS.name).meta({ examples: ['Customers'] })
const description = text(0, TABLE_LIMITS.description).nullable()
const writes = member({ edits: true, share: 'edit' })
const limit = { name: 'tables', by: 'caller', capacity: 300, perSeconds: 60 } as const
const heavyLimit = { name: 'table-transfers', by: 'caller', capacity: 20, perSeconds: 60 } as const

/** A query parameter that contains JSON. */
const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .max(TABLE_LIMITS.filterCharacters, `must be at most ${TABLE_LIMITS.filterCharacters} characters`)
    .transform((value, ctx): unknown => {
      try {
        return JSON.parse(value)
      } catch {
        ctx.addIssue({ code: 'custom', message: 'must be JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)

const filter = json(FilterInput)
  .optional()
  .describe(
    'JSON: `{"column":"amount","op":"gt","value":"100"}`, or `{"all":[…]}` and `{"any":[…]}` with conditions',
  )
const sort = json(z.array(SortInput).max(TABLE_LIMITS.sorts, `must have at most ${TABLE_LIMITS.sorts} items`))
  .optional()
  .describe('JSON: `[{"column":"amount","order":"desc"}]`. Without it, oldest rows first')
const search = text(1, 200).optional().describe('Part of a text or number in any column')
const columns = z
  .array(ColumnInput)
  .max(TABLE_LIMITS.columns, `must have at most ${TABLE_LIMITS.columns} columns`)

const selection = {
  ids: z.array(Id).min(1).max(TABLE_LIMITS.rowsPerCall).optional(),
  filter: FilterInput.optional().describe('All rows that match'),
}
const isSelection = ({ ids, filter: given }: { ids?: unknown; filter?: unknown }) =>
  (ids === undefined) !== (given === undefined)
const SELECTION_ERROR = { error: 'must have either ids or filter' }

const importFields = {
  mapping: z
    .record(z.string(), ColumnRef.nullable())
    .optional()
    .describe('Columns by header of the file; null skips one. Default: columns with the same name'),
  createColumns: z
    .boolean()
    .default(false)
    .describe(
      'Adds columns for headers that have none, with a type that fits all their values, and missing choices',
    ),
  sheet: text(1, 255).optional().describe('Of a workbook; the first if absent'),
  dryRun: z.boolean().default(false).describe('Checks the file and changes nothing'),
}
const flagText = z.enum(['true', 'false'], { error: 'must be true or false' })

export const ImportResult = z.object({
  dryRun: z.boolean(),
  seq: z.int().nullable(),
  rows: z.int().describe('Rows in the file'),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  columns: z
    .array(
      z.object({
        header: z.string(),
        column: ColumnId.nullable().describe('Null if skipped'),
        type: z.enum(COLUMN_TYPES).nullable(),
        isNew: z.boolean(),
      }),
    )
    .describe('In the file’s order'),
  errors: z
    .array(z.object({ line: z.int(), column: z.string().nullable(), message: z.string() }))
    .describe('The first 100'),
  errorCount: z.int(),
  sample: z.array(z.array(z.string())).describe('The file’s first rows'),
})

export const tables = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/projects/:projectId/tables',
    summary: 'List tables',
    description:
      'By name. A share link guest sees the tables that are on the canvas. `deleted=true` lists deleted tables that can be restored.',
    access: member({ share: 'view' }),
    params: z.object({ projectId: ProjectRef }),
    query: z.object({ deleted: queryFlag() }),
    output: z.object({ items: z.array(Table) }),
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/projects/:projectId/tables',
    summary: 'Create a table',
    description: `A project can have ${TABLE_LIMITS.tables} tables. Returns CONFLICT beyond that, or if another table in the project has the name.`,
    access: member({ edits: true }),
    params: z.object({ projectId: ProjectRef }),
    body: z.object({
      name,
      description: description.default(null),
      columns: columns.default([{ name: 'Name', type: 'text' }]),
      key: ColumnRef.nullable().default(null).describe('Column whose values are unique'),
    }),
    output: Table,
    status: 201,
    idempotent: true,
    limit,
    tool: 'write',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id',
    summary: 'Get a table',
    access: member({ share: 'view' }),
    params,
    output: Table,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/tables/:id',
    summary: 'Change a table',
    description:
      'Removing a column keeps its values, so that undoing the change brings them back. A change of widths alone makes no entry in the history. Returns CONFLICT if another table has the name, a new key column has duplicate values, or a removed column is the key.',
    access: member({ edits: true }),
    params,
    body: z
      .object({
        name: name.optional(),
        description: description.optional(),
        key: ColumnRef.nullable().optional(),
        add: columns.min(1).optional().describe('New columns'),
        change: z.array(ColumnChange).min(1).max(TABLE_LIMITS.columns).optional(),
        remove: z.array(ColumnRef).min(1).max(TABLE_LIMITS.columns).optional(),
        order: z
          .array(ColumnRef)
          .min(1)
          .max(TABLE_LIMITS.columns)
          .optional()
          .describe('Columns in this order; others follow'),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ name: 'Clients' }] }),
    output: Table,
    limit,
    tool: 'write',
  }),
  convert: endpoint({
    method: 'POST',
    path: '/api/v1/tables/:id/columns/:columnId/convert',
    summary: 'Change a column’s type',
    description:
      'Converts all values; those that don’t fit become empty. `dryRun` only counts them. Undoing the change restores them. Returns CONFLICT for the key column if values would repeat.',
    access: member({ edits: true }),
    heavy: true,
    params: z.object({ id: Id, columnId: ColumnId }),
    body: z.object({
      type: z.enum(COLUMN_TYPES).meta({ examples: ['text'] }),
      currency: ColumnInput.shape.currency,
      time: ColumnInput.shape.time,
      choices: ColumnInput.shape.choices.describe('Default: one for each value'),
      target: z.enum(LINK_TARGETS).optional(),
      tableId: Id.optional(),
      dryRun: z.boolean().default(false),
    }),
    output: z.object({
      converted: z.int(),
      emptied: z.int().describe('Values that don’t fit the type'),
      examples: z.array(z.object({ rowId: Id, value: z.string() })).describe('Of values that don’t fit'),
      table: Table,
    }),
    limit: heavyLimit,
  }),
  targets: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id/columns/:columnId/targets',
    summary: 'List link targets',
    description:
      'Files, blocks, runs or rows that a cell of a link column can name, newest first; with `search`, the same title first, then those that begin with it. Share link guests can link to blocks and rows only, and an API key needs the scope `files:read` for files.',
    access: member({ share: 'view' }),
    params: z.object({ id: Id, columnId: ColumnId }),
    query: z.object({
      search: text(1, 200).optional().describe('Part of the title'),
      targetId: Id.optional().describe('Returns only this one'),
      limit: queryInteger(1, 100, 20),
    }),
    output: z.object({
      items: z.array(
        z.object({
          id: Id,
          title: z.string().nullable().describe('Of a row, its key or first text; null if empty'),
          createdAt: Timestamp,
        }),
      ),
    }),
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/tables/:id',
    summary: 'Delete a table',
    description: 'It can be restored for 30 days, then it is deleted permanently.',
    access: member({ edits: true }),
    params,
    output: z.object({ id: Id, deleted: z.literal(true) }),
    limit,
    tool: 'write',
  }),
  undelete: endpoint({
    method: 'POST',
    path: '/api/v1/tables/:id/undelete',
    summary: 'Restore a deleted table',
    description: 'Returns CONFLICT if another table has its name, or the project has too many.',
    access: member({ edits: true }),
    params,
    output: Table,
    limit,
  }),
  rows: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id/rows',
    summary: 'List rows',
    description:
      'In the order in which they were created, or sorted; with `group`, group by group, in the order in which `aggregate` lists the groups with the same `order`. Reads a page by `cursor`, or any part by `offset`.',
    access: member({ share: 'view' }),
    params,
    query: z.object({
      filter,
      sort,
      search,
      group: json(GroupInput).optional().describe('JSON: `{"column":"status"}`'),
      limit: queryInteger(1, TABLE_LIMITS.pageRows, 100),
      cursor: z
        .string()
        .max(ROW_CURSOR_CHARACTERS_MAX)
        .optional()
        .describe('`nextCursor` from the previous page'),
      offset: queryInteger(0, TABLE_LIMITS.rows, 0).describe('Rows to skip, instead of a cursor'),
    }),
    output: cursorPage(Row).extend({ seq: z.int().describe('`seq` of the table when the page was read') }),
    tool: 'read',
  }),
  row: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id/rows/:rowId',
    summary: 'Get a row',
    access: member({ share: 'view' }),
    params: z.object({ id: Id, rowId: Id }),
    output: Row,
    tool: 'read',
  }),
  changed: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id/rows/changed',
    summary: 'List rows changed since',
    description:
      'For a client that follows the project’s live stream: rows changed after `since`, and the ids of deleted ones. With `reset`, too much has changed: read the table again.',
    access: member({ share: 'view' }),
    params,
    query: z.object({ since: queryInteger(0, Number.MAX_SAFE_INTEGER, 0) }),
    output: z.object({
      table: Table,
      rows: z.array(Row),
      deletedIds: z.array(Id),
      reset: z.boolean(),
    }),
  }),
  upsert: endpoint({
    method: 'POST',
    path: '/api/v1/tables/:id/rows',
    summary: 'Create and update rows',
    description: `Up to ${TABLE_LIMITS.rowsPerCall} rows, all or none. A row with an \`id\`, or with the key of an existing row, updates that row’s given values; others are created. Returns CONFLICT if a row would get another row’s key, or the table is full.`,
    access: writes,
    params,
    body: z.object({
      rows: z
        .array(RowInput)
        .min(1, 'must have at least one row')
        .max(TABLE_LIMITS.rowsPerCall, `must have at most ${TABLE_LIMITS.rowsPerCall} rows`),
      mode: z
        .enum(['upsert', 'insert', 'update'])
        .default('upsert')
        .describe('`insert` returns CONFLICT for an existing key, `update` NOT_FOUND for a new one'),
    }),
    bodyBytesMax: ROWS_BYTES_MAX,
    output: z.object({
      seq: z.int(),
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      rows: z.array(z.object({ id: Id, action: z.enum(['created', 'updated', 'unchanged']) })),
    }),
    idempotent: true,
    limit,
    tool: 'write',
  }),
  updateRows: endpoint({
    method: 'PATCH',
    path: '/api/v1/tables/:id/rows',
    summary: 'Change many rows',
    description: 'Sets the same values in all selected rows. The key column can’t be set this way.',
    access: writes,
    params,
    body: z
      .object({ ...selection, values: Values })
      .refine(isSelection, SELECTION_ERROR)
      .meta({
        examples: [{ filter: { column: 'name', op: 'empty' }, values: { name: 'Unknown' } }],
      }),
    output: z.object({ seq: z.int(), updated: z.int() }),
    limit,
    tool: 'write',
  }),
  removeRows: endpoint({
    method: 'DELETE',
    path: '/api/v1/tables/:id/rows',
    summary: 'Delete rows',
    description: 'The change can be undone for 30 days.',
    access: writes,
    params,
    body: z
      .object(selection)
      .refine(isSelection, SELECTION_ERROR)
      .meta({ examples: [{ filter: { column: 'name', op: 'empty' } }] }),
    output: z.object({ seq: z.int(), deleted: z.int() }),
    limit,
    tool: 'write',
  }),
  aggregate: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id/aggregate',
    summary: 'Aggregate rows',
    description: `Counts and sums, for all matching rows or by group. Largest groups first, or by value with \`order\`. Returns at most ${TABLE_LIMITS.groupsReturned} groups.`,
    access: member({ share: 'view' }),
    params,
    query: z.object({
      filter,
      search,
      group: json(z.array(GroupInput).max(TABLE_LIMITS.groups))
        .optional()
        .describe('JSON: `[{"column":"status"}]`, `[{"column":"date","part":"month"}]`'),
      measures: json(z.array(MeasureInput).min(1).max(TABLE_LIMITS.measures))
        .optional()
        .describe('JSON: `[{"op":"sum","column":"amount"}]`. Default: the count'),
    }),
    output: z.object({
      groups: z.array(
        z.object({
          keys: z.array(z.unknown()).describe('In the order of `group`, as in rows; null for empty cells'),
          values: z
            .array(z.union([z.number(), z.string(), z.null()]))
            .describe(
              'In the order of `measures`. Numbers and money are decimal strings, counts are numbers',
            ),
        }),
      ),
      truncated: z.boolean(),
      isOutside: z.boolean().describe('The table has texts by guests or untrusted runs'),
    }),
    tool: 'read',
  }),
  views: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id/views',
    summary: 'List table views',
    description: 'Everyone who sees the table shares its views.',
    access: member({ share: 'view' }),
    params,
    output: z.object({ items: z.array(TableView) }),
  }),
  createView: endpoint({
    method: 'POST',
    path: '/api/v1/tables/:id/views',
    summary: 'Create a table view',
    description: `A table can have ${TABLE_LIMITS.views} views. Returns CONFLICT beyond that.`,
    access: member({ edits: true }),
    params,
    body: z.object({ name, settings: ViewSettings.default({}) }),
    output: TableView,
    status: 201,
    idempotent: true,
    limit,
  }),
  updateView: endpoint({
    method: 'PATCH',
    path: '/api/v1/tables/:id/views/:tableViewId',
    summary: 'Change a table view',
    access: member({ edits: true }),
    params: z.object({ id: Id, tableViewId: Id }),
    body: z
      .object({
        name: name.optional(),
        settings: ViewSettings.optional().describe('Replaces all settings'),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ name: 'Open' }] }),
    output: TableView,
    limit,
  }),
  removeView: endpoint({
    method: 'DELETE',
    path: '/api/v1/tables/:id/views/:tableViewId',
    summary: 'Delete a table view',
    access: member({ edits: true }),
    params: z.object({ id: Id, tableViewId: Id }),
    output: z.object({ id: Id, deleted: z.literal(true) }),
    limit,
  }),
  changes: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id/changes',
    summary: 'List table changes',
    description: 'One for each call, newest first, for 30 days.',
    access: member(),
    params,
    query: z.object(cursorQuery),
    output: cursorPage(TableChange),
  }),
  rowChanges: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id/rows/:rowId/changes',
    summary: 'List row changes',
    description: 'Newest first, for 30 days. Includes deleted rows.',
    access: member(),
    params: z.object({ id: Id, rowId: Id }),
    query: z.object(cursorQuery),
    output: cursorPage(RowChange),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/v1/tables/:id/changes/:seq/undo',
    summary: 'Undo a table change',
    description:
      'Restores what the change replaced. Returns CONFLICT if it was undone already, or rows have changed since, unless `force` is set: then their later values in the same cells are lost.',
    access: member({ edits: true }),
    heavy: true,
    params: z.object({ id: Id, seq: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    body: z.object({ force: z.boolean().default(false) }),
    output: z.object({ seq: z.int(), created: z.int(), updated: z.int(), deleted: z.int() }),
    limit,
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/v1/tables/:id/import',
    summary: 'Import rows from a file',
    description:
      'CSV, TSV or a workbook with a header row, up to 25 MB: a `multipart/form-data` request with `file`, a file of the project by `fileId`, or `text` pasted from a spreadsheet. Rows with an existing key update that row. A wrong value returns BAD_REQUEST and imports nothing; `dryRun` lists them.',
    access: member({ edits: true }),
    params,
    body: z
      .object({
        fileId: Id.optional(),
        text: text(1, 2_000_000, { trim: false }).optional().describe('CSV or TSV'),
        ...importFields,
      })
      .refine(({ fileId, text: pasted }) => (fileId === undefined) !== (pasted === undefined), {
        error: 'must have either fileId or text',
      })
      .meta({ examples: [{ text: 'Name\nAda', createColumns: true }] }),
    bodyBytesMax: ROWS_BYTES_MAX,
    multipart: z.object({
      mapping: json(importFields.mapping.unwrap()).optional(),
      createColumns: flagText.default('false').transform((value) => value === 'true'),
      sheet: importFields.sheet,
      dryRun: flagText.default('false').transform((value) => value === 'true'),
    }),
    output: ImportResult,
    limit: heavyLimit,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/v1/tables/:id/export',
    summary: 'Export rows',
    description:
      'Text that a spreadsheet would take for a formula gets a leading apostrophe in CSV files. Link cells contain titles.',
    access: member(),
    params,
    query: z.object({
      format: z.enum(TABLE_FORMATS, { error: 'must be csv or xlsx' }).default('csv'),
      filter,
      sort,
      search,
    }),
    output: z.null(),
    bytes: 'always',
    limit: heavyLimit,
  }),
}

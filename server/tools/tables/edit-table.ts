import { z } from 'zod'
import { COLUMN_TYPES, LINK_TARGETS, TABLE_LIMITS } from '../../../contract/projects/table-options.ts'
import { tables } from '../../../contract/projects/tables.ts'
import { isolateName } from '../../../contract/text-with-names.ts'
import { badRequest } from '../../errors.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { projectInput, resolveProject } from '../project-ref.ts'
import type { Tool, ToolCall } from '../tool.ts'
import { describeTable, resolveTable, type TableRecord, tableInput } from './table-ref.ts'

const columnInput = z.strictObject({
  id: z.string().optional().describe('Of an existing column, to change it'),
  name: z.string().optional(),
  type: z.enum(COLUMN_TYPES).optional(),
  currency: z.string().optional(),
  time: z.boolean().optional(),
  choices: z.array(z.string()).optional(),
  target: z.enum(LINK_TARGETS).optional(),
  tableId: z.string().optional(),
})
type GivenColumn = z.output<typeof columnInput>

const editInput = z.strictObject({
  project: projectInput,
  table: tableInput.optional().describe('Absent: creates one'),
  name: z.string().max(TABLE_LIMITS.name).optional(),
  description: z.string().max(TABLE_LIMITS.description).optional(),
  columns: z.array(columnInput).max(TABLE_LIMITS.columns).default([]),
  remove: z.array(z.string()).default([]).describe('Columns'),
  key: z
    .string()
    .nullable()
    .optional()
    .describe('Column with unique values, by which upsert_rows finds rows'),
  delete: z.boolean().default(false).describe('The whole table'),
})
type EditInput = z.output<typeof editInput>

export const editTable: Tool<EditInput> = {
  name: 'edit_table',
  description:
    'Create a table for records with the same fields, such as contacts or findings, or change or delete one.',
  input: editInput,
  effect: 'transaction',
  risk: ({ delete: deletes, remove }) => (deletes || remove.length > 0 ? 'delete' : 'none'),
  summarize,
  async run(call, { project, table: ref, ...edit }) {
    if (ref === undefined) return create(call, project, edit)
    const table = await resolveTable(call, project, ref)
    if (!edit.delete) return update(call, table, edit)
    if (edit.name !== undefined || edit.columns.length + edit.remove.length > 0)
      throw badRequest('delete: must be the only change')
    return callEndpoint(call, tables.remove, { params: { id: table.id } })
  },
}

function summarize({ table, name = '', columns, remove, delete: deletes }: EditInput): string {
  if (table === undefined) return `Create the table ${isolateName(name)} with ${columns.length} columns`
  if (deletes) return `Delete the table ${isolateName(table)}`
  const removed = remove.length > 0 ? ` and remove ${remove.join(', ').slice(0, 300)}` : ''
  return `Change the table ${isolateName(table)}${removed}`
}

type Edit = Omit<EditInput, 'project' | 'table'>

async function create(call: ToolCall, projectRef: string | undefined, edit: Edit) {
  const { name, description, columns, key, remove, delete: deletes } = edit
  if (deletes || remove.length > 0) throw badRequest('table: is required to delete or remove')
  if (name === undefined) throw badRequest('name: is required for a new table')
  if (columns.length === 0) throw badRequest('columns: a new table needs at least one')
  const { id: projectId } = await resolveProject(call, projectRef)
  const body = { name, description, columns: columns.map(toNew), key }
  return describeTable(await callEndpoint(call, tables.create, { params: { projectId }, body }))
}

async function update(call: ToolCall, table: TableRecord, { name, description, columns, remove, key }: Edit) {
  const add = columns.filter(({ id }) => id === undefined).map(toNew)
  const change = columns.filter(({ id }) => id !== undefined).map(toChange)
  const body = {
    ...{ name, description, key },
    ...(add.length > 0 && { add }),
    ...(change.length > 0 && { change }),
    ...(remove.length > 0 && { remove }),
  }
  if (Object.values(body).every((value) => value === undefined))
    throw badRequest('There is nothing to change: give at least one field')
  return describeTable(await callEndpoint(call, tables.update, { params: { id: table.id }, body }))
}

function toNew(given: GivenColumn) {
  const { id: _, choices, ...column } = given
  return { ...column, ...(choices && { choices: choices.map((name) => ({ name })) }) }
}

function toChange({ choices, type, time, target, tableId, ...change }: GivenColumn) {
  if ([type, time, target, tableId].some((value) => value !== undefined))
    throw badRequest(
      `columns: only the name, currency and choices of ${change.id} can change; for another type, add a column`,
    )
  return { ...change, ...(choices && { choices: choices.map((name) => ({ name })) }) }
}

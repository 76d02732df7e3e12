import { z } from 'zod'
import { ColumnChange, ColumnInput, ColumnRef } from '../../../contract/projects/table-fields.ts'
import { TABLE_LIMITS } from '../../../contract/projects/table-options.ts'
import { tables } from '../../../contract/projects/tables.ts'
import { isolateName, textWithNames } from '../../../contract/text-with-names.ts'
import { badRequest } from '../../errors.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { projectInput, resolveProject } from '../project-ref.ts'
import type { Tool } from '../tool.ts'
import { describeTable, resolveTable, tableInput } from './table-ref.ts'

const OUTPUT_BYTES = 32_000

const listInput = z.strictObject({
  project: projectInput,
  query: z.string().min(1).max(100).optional().describe('Part of the name'),
})

export const listTables: Tool<z.output<typeof listInput>> = {
  name: 'list_tables',
  description: 'List a project’s tables with their columns. Use it before you read or write rows.',
  input: listInput,
  effect: 'read',
  risk: 'none',
  async run(call, { project: ref, query }) {
    const { id: projectId } = await resolveProject(call, ref)
    const { items } = await callEndpoint(call, tables.list, { params: { projectId } })
    const found = items.filter(({ name }) => !query || name.toLowerCase().includes(query.toLowerCase()))
    const described = found.map(describeTable)
    if (Buffer.byteLength(JSON.stringify(described)) <= OUTPUT_BYTES) return { tables: described }
    return {
      tables: described.map(({ columns, ...table }) => ({ ...table, columns: columns.length })),
      note: 'Too many columns to show: give a query',
    }
  },
}

const createInput = z.strictObject({
  project: projectInput,
  name: z.string().min(1).max(TABLE_LIMITS.name),
  description: z.string().max(TABLE_LIMITS.description).optional(),
  columns: z.array(ColumnInput).min(1).max(TABLE_LIMITS.columns),
  key: z.string().optional().describe('Column whose values are unique; upsert_rows finds rows by it'),
})

export const createTable: Tool<z.output<typeof createInput>> = {
  name: 'create_table',
  description:
    'Create a table with typed columns in a project. Use it for lists of records with the same fields, such as contacts or findings.',
  input: createInput,
  effect: 'transaction',
  risk: 'none',
  summarize: ({ name, columns }) => textWithNames`Create the table ${name} with ${columns.length} columns`,
  async run(call, { project: ref, ...body }) {
    const { id: projectId } = await resolveProject(call, ref)
    return describeTable(await callEndpoint(call, tables.create, { params: { projectId }, body }))
  },
}

const updateInput = z.strictObject({
  project: projectInput,
  table: tableInput,
  name: z.string().min(1).max(TABLE_LIMITS.name).optional(),
  description: z.string().max(TABLE_LIMITS.description).optional(),
  key: z.string().nullable().optional(),
  add: z.array(ColumnInput).optional().describe('New columns'),
  change: z.array(ColumnChange).optional().describe('Renames, currencies, choices'),
  remove: z.array(ColumnRef).optional().describe('Columns'),
  deleteTable: z.boolean().default(false).describe('Deletes the whole table; it can be restored for 30 days'),
})
type UpdateInput = z.output<typeof updateInput>

export const updateTable: Tool<UpdateInput> = {
  name: 'update_table',
  description: 'Rename a table, add, change or remove its columns, choose its key, or delete it.',
  input: updateInput,
  effect: 'transaction',
  risk: ({ deleteTable, remove }) => (deleteTable || (remove?.length ?? 0) > 0 ? 'delete' : 'none'),
  summarize: ({ table, deleteTable, project: _, ...change }) =>
    deleteTable
      ? `Delete the table ${isolateName(table)}`
      : `Change ${Object.keys(change).join(', ')} of the table ${isolateName(table)}`,
  async run(call, { project: ref, table: tableRef, deleteTable, ...body }) {
    const { id } = await resolveTable(call, ref, tableRef)
    const isEmpty = Object.values(body).every((value) => value === undefined)
    if (deleteTable) {
      if (!isEmpty) throw badRequest('deleteTable: must be the only change')
      return callEndpoint(call, tables.remove, { params: { id } })
    }
    if (isEmpty) throw badRequest('There is nothing to change: give at least one field')
    return describeTable(await callEndpoint(call, tables.update, { params: { id }, body }))
  },
}

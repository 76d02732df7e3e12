import { z } from 'zod'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { tables } from '../../../contract/projects/tables.ts'
import { ApiError, badRequest } from '../../errors.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { candidates, resolveProject } from '../project-ref.ts'
import type { ToolCall } from '../tool.ts'

export type TableRecord = OutputOf<typeof tables.get>

export const tableInput = z.string().min(1).max(100).describe('Id or name')

/** Only tables of the project, which an untrusted run must not leave. */
export async function resolveTable(
  call: ToolCall,
  projectRef: string | undefined,
  ref: string,
): Promise<TableRecord> {
  const { id: projectId } = await resolveProject(call, projectRef)
  const { items } = await callEndpoint(call, tables.list, { params: { projectId } })
  const found =
    items.find((table) => table.id === ref.toLowerCase()) ??
    items.find(({ name }) => name === ref) ??
    items.find(({ name }) => name.toLowerCase() === ref.toLowerCase())
  if (found) return found
  if (items.length === 0) throw badRequest('table: the project has no tables: see edit_table')
  const names = candidates(items.map(({ name, id }) => `${name} (${id})`))
  throw new ApiError('NOT_FOUND', `There is no table ${ref} in the project. Its tables: ${names}`)
}

/** As agents read it: the form in which values are written. */
export const describeColumns = ({ columns, key }: Pick<TableRecord, 'columns' | 'key'>) =>
  columns.map(({ id, name, type, currency, choices, target, tableId, time }) => ({
    id,
    ...(name !== id && { name }),
    type,
    ...(id === key && { key: true }),
    ...(currency && { currency }),
    ...(time && { time }),
    ...(choices && { choices: choices.map((choice) => choice.id) }),
    ...(target && { target }),
    ...(tableId && { tableId }),
  }))

export const describeTable = (table: TableRecord) => ({
  id: table.id,
  name: table.name,
  ...(table.description && { description: table.description }),
  rows: table.rowCount,
  columns: describeColumns(table),
})

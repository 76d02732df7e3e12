import { z } from 'zod'
import { TABLE_LIMITS } from '../../../contract/projects/table-options.ts'
import { tables } from '../../../contract/projects/tables.ts'
import { isolateName } from '../../../contract/text-with-names.ts'
import { ApiError, badRequest } from '../../errors.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { projectInput } from '../project-ref.ts'
import type { Tool } from '../tool.ts'
import { resolveTable, tableInput } from './table-ref.ts'
import { matchInput, sameWhereInput, toFilter } from './where.ts'

/** More results say only how many. */
const LISTED_ROWS_MAX = 100

const values = z.record(z.string(), z.unknown())

const upsertInput = z.strictObject({
  project: projectInput,
  table: tableInput,
  rows: z
    .array(z.strictObject({ id: z.uuid().optional(), values }))
    .min(1)
    .max(TABLE_LIMITS.rowsPerCall)
    .optional()
    .describe('An id or an existing key updates that row’s given values'),
  where: sameWhereInput.optional().describe('Instead of rows: sets `values` in all that match'),
  match: matchInput,
  values: values.optional().describe('For `where`'),
})
type UpsertInput = z.output<typeof upsertInput>

export const upsertRows: Tool<UpsertInput> = {
  name: 'upsert_rows',
  description:
    'Create and update up to 1,000 rows of a table, all or none, or set values in all rows that match a filter. Money is a decimal string, a date 2027-01-31, a choice its id, null an empty cell.',
  input: upsertInput,
  effect: 'transaction',
  risk: 'none',
  summarize: ({ table, rows, values }) =>
    rows
      ? `Write ${rows.length} ${rows.length === 1 ? 'row' : 'rows'} to the table ${isolateName(table)}`
      : `Set ${Object.keys(values ?? {}).join(', ')} in rows of the table ${isolateName(table)}`,
  async run(call, { project: ref, table: tableRef, rows, where, match, values: given }) {
    if ((rows === undefined) === (where === undefined))
      throw badRequest('Give either rows, or where with values')
    const { id } = await resolveTable(call, ref, tableRef)
    if (rows) {
      const result = await callEndpoint(call, tables.upsert, { params: { id }, body: { rows } }).catch(
        asToolError,
      )
      const { rows: results, ...counts } = result
      return results.length <= LISTED_ROWS_MAX ? { ...counts, ids: results.map((row) => row.id) } : counts
    }
    if (!given) throw badRequest('values: is required with where')
    const body = { filter: toFilter(where!, match), values: given }
    return callEndpoint(call, tables.updateRows, { params: { id }, body }).catch(asToolError)
  },
}

const deleteInput = z.strictObject({
  project: projectInput,
  table: tableInput,
  ids: z.array(z.uuid()).min(1).max(TABLE_LIMITS.rowsPerCall).optional(),
  where: sameWhereInput.optional(),
  match: matchInput,
})
type DeleteInput = z.output<typeof deleteInput>

export const deleteRows: Tool<DeleteInput> = {
  name: 'delete_rows',
  description: 'Delete rows of a table, by their ids or all that match a filter. Query them first.',
  input: deleteInput,
  effect: 'transaction',
  risk: 'delete',
  summarize: ({ table, ids, where }) =>
    ids
      ? `Delete ${ids.length} ${ids.length === 1 ? 'row' : 'rows'} of the table ${isolateName(table)}`
      : `Delete rows of the table ${isolateName(table)} where ${JSON.stringify(where).slice(0, 300)}`,
  async run(call, { project: ref, table: tableRef, ids, where, match }) {
    if ((ids === undefined) === (where === undefined)) throw badRequest('Give either ids or where')
    const { id } = await resolveTable(call, ref, tableRef)
    const body = ids ? { ids } : { filter: toFilter(where!, match) }
    return callEndpoint(call, tables.removeRows, { params: { id }, body }).catch(asToolError)
  },
}

/** The endpoint names its own body fields, but the model uses the tool’s. */
function asToolError(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  const message = error.message.replace(/body\.filter\.(all|any)/g, 'where').replaceAll('body.', '')
  throw message === error.message ? error : new ApiError(error.code, message, { details: error.details })
}

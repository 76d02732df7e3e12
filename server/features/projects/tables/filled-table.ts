import type { Context } from '../../../context.ts'
import type { NewColumn } from './columns.ts'
import { createTable } from './manage.ts'
import { type GivenRow, upsertRows } from './upsert.ts'

/** As calls create them: a column's type must be given. */
export interface GivenTable {
  name: string
  key: string | null
  columns: NewColumn[]
  rows: GivenRow[]
}

export async function createFilledTable(
  ctx: Context<'quotas'>,
  projectId: string,
  { rows, ...fields }: GivenTable,
): Promise<{ id: string }> {
  const { id } = await createTable(ctx, { ...fields, projectId, description: '' })
  await upsertRows(ctx, { id, rows, mode: 'insert' })
  return { id }
}

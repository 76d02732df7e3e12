import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import { type StoredColumn, shownColumns } from './columns.ts'

/** Links to rows name a table of the same project. */
export async function requireLinkedTables(
  { sql, caller: { orgId } }: Context,
  projectId: string,
  columns: readonly StoredColumn[],
  path: string,
): Promise<void> {
  const ids = shownColumns(columns).flatMap(({ tableId }) => tableId ?? [])
  if (ids.length === 0) return
  const rows = await sql<{ id: string }[]>`
    select id from project_tables
    where org_id = ${orgId} and project_id = ${projectId} and id = any(${ids}::uuid[])`
  const missing = ids.find((id) => !rows.some((row) => row.id === id))
  if (missing) throw badField(path, `must link to tables of the project: ${missing} is none`)
}

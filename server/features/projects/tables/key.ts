import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import type { StoredColumn } from './columns.ts'
import type { TableRow } from './records.ts'
import { formatCell } from './values.ts'

/** Sets what the unique index holds. The table must be locked. */
export async function updateKey(
  ctx: Context,
  { orgId, id }: TableRow,
  { key, columns }: { key: string | null; columns: readonly StoredColumn[] },
): Promise<void> {
  if (key !== null) {
    const column = columns.find((each) => each.id === key)!
    const { long, repeated } = await findUnfit(ctx.sql, orgId, id, key)
    if (repeated !== null)
      throw new ApiError(
        'CONFLICT',
        `The column ${key} can’t be the key: several rows have ${JSON.stringify(formatCell(column, repeated))}`,
        { details: { reason: 'duplicate_values', column: key } },
      )
    if (long)
      throw new ApiError(
        'CONFLICT',
        `The column ${key} can’t be the key: a value has more than ${TABLE_LIMITS.keyText} characters`,
        { details: { reason: 'long_values', column: key } },
      )
  }
  await setKeys(ctx.sql, orgId, id, key)
}

async function findUnfit(sql: Sql, orgId: string, tableId: string, key: string) {
  const [row] = await sql<{ long: boolean; repeated: string | null }[]>`
    with keys as materialized (
      select r.cells ->> ${key} as value from table_rows r
      where r.org_id = ${orgId} and r.table_id = ${tableId} and r.cells ? ${key}
    )
    select exists (select from keys where length(value) > ${TABLE_LIMITS.keyText}) as long, (
      select left(value, 100) from keys group by value having count(*) > 1 limit 1) as repeated`
  return row!
}

const setKeys = (sql: Sql, orgId: string, tableId: string, key: string | null) => sql`
  update table_rows r set key_text = r.cells ->> ${key}::text
  where r.org_id = ${orgId} and r.table_id = ${tableId} and r.key_text is distinct from r.cells ->> ${key}::text`

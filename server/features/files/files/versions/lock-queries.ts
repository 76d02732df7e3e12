import type { Sql } from '../../../../database/database.ts'

/** Locks a file whose content changes; false if it does not exist. */
export async function lockFile(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const rows =
    await sql`select from files where org_id = ${orgId} and id = ${id} and deleted_at is null for update`
  return rows.length === 1
}

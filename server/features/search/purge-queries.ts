import type { Sql } from '../../database/database.ts'

/** Deletes at most `limit` entries of a purged project: its runs and sessions stay, without their texts. */
export async function deleteEntriesOf(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from search_entries where ctid = any(array(
      select ctid from search_entries where org_id = ${orgId} and space_id = ${projectId} limit ${limit}))`
  return count
}

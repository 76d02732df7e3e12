import type { Fragment, Sql } from '../../../database/database.ts'

/** Deletes at most `limit` rows of the canvas and the history of a purged project. Returns how many. */
export async function deleteCanvas(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const inBatch = (table: Fragment, where = sql``) => sql`
    ctid = any(array(
      select ctid from ${table} where org_id = ${orgId} and project_id = ${projectId} ${where} limit ${limit}))`
  const statements = [
    () => sql`delete from canvas_previews where ${inBatch(sql`canvas_previews`)}`,
    () => sql`delete from edges where ${inBatch(sql`edges`)}`,
    () => sql`delete from snapshots where ${inBatch(sql`snapshots`)}`,
    () => sql`delete from canvas_changes where ${inBatch(sql`canvas_changes`)}`,
    // Blocks leave their groups first: batches delete in any order, and a group must not be deleted before its blocks.
    () =>
      sql`update blocks set parent_id = null where ${inBatch(sql`blocks`, sql`and parent_id is not null`)}`,
    () => sql`delete from blocks where ${inBatch(sql`blocks`)}`,
  ]
  for (const run of statements) {
    const { count } = await run()
    if (count > 0) return count
  }
  return 0
}

import type { Sql } from '../../../database/database.ts'

/** Deletes at most `limit` memories of a purged project, and the proposals and prompt memories of its runs. Returns how many. */
export async function deleteMemoriesOf(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const memories = await sql`
    delete from memories where org_id = ${orgId} and id = any(array(
      select id from memories
      where org_id = ${orgId}
        and (project_id = ${projectId} or (origin_project_id = ${projectId} and status <> 'active')) limit ${limit}))`
  if (memories.count > 0) return memories.count
  const { count } = await sql`
    delete from run_memories where org_id = ${orgId} and run_id = any(array(
      select m.run_id from runs r join run_memories m on m.org_id = r.org_id and m.run_id = r.id
      where r.org_id = ${orgId} and r.project_id = ${projectId} limit ${limit}))`
  return count
}

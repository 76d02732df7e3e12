import type { Sql } from '../../../database/database.ts'

/** Deletes at most `limit` comments of a purged project. Returns how many. */
export async function deleteCommentsOf(
  sql: Sql,
  orgId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from comments where ctid = any(array(
      select ctid from comments where org_id = ${orgId} and project_id = ${projectId} limit ${limit}))`
  return count
}

/**
 * Deletes the threads, among the next `limit` threads of blocks after a position, whose block is neither on its canvas nor in
 * its history, from which it could be restored. Returns the position of the last one; null at the end.
 */
export async function deleteOrphanedThreads(
  sql: Sql,
  after: { orgId: string; id: string } | null,
  limit: number,
): Promise<{ orgId: string; id: string } | null> {
  const [row] = await sql<{ orgId: string; id: string; read: number }[]>`
    with next as (
      select c.org_id, c.id, c.project_id, c.target_id from comments c
      where c.target_type = 'block' and c.parent_id is null
        ${after ? sql`and (c.org_id, c.id) > (${after.orgId}::uuid, ${after.id}::uuid)` : sql``}
      order by c.org_id, c.id limit ${limit}
    ), deleted as (
      delete from comments c using next n
      where c.org_id = n.org_id and c.id = n.id
        and not exists (
          select from blocks b where b.org_id = n.org_id and b.project_id = n.project_id and b.id = n.target_id)
        and not exists (
          select from canvas_changes h
          where h.org_id = n.org_id and h.project_id = n.project_id and h.item_id = n.target_id)
    )
    select org_id as "orgId", id, (select count(*)::int from next) as read from next
    order by org_id desc, id desc limit 1`
  return row && row.read === limit ? { orgId: row.orgId, id: row.id } : null
}

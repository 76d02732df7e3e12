import type { Sql } from '../../../../database/database.ts'

/**
 * Removes the author of the changes that wrote texts of these blocks since a position of the history, as if a guest had
 * made them: a member who copies or restores a text from outside is not its author.
 */
export const markOutside = async (
  sql: Sql,
  { orgId, id }: { orgId: string; id: string },
  { blockIds, after }: { blockIds: readonly string[]; after: number },
): Promise<void> => {
  if (blockIds.length === 0) return
  await sql`
    update canvas_changes set user_id = null
    where org_id = ${orgId} and project_id = ${id} and item_id = any(${blockIds as string[]}::uuid[]) and entity = 'block'
      and seq > ${after} and after ?| array['title', 'content', 'metadata']`
}

import type { Pool } from '../../database/database.ts'
import { newId } from '../../security/ids.ts'

/** Each note is connected to the next. Skips foreign key checks. */
export async function seedManyBlocks(
  sql: Pool,
  orgId: string,
  projectId: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into blocks (org_id, project_id, id, type, x, y, width, height, title, content, created_at, updated_at)
      select ${orgId}, ${projectId}, id, 'note', n % 50 * 260, n / 50 * 140, 240, 120, 'Note ' || n,
        'A note of ordinary length, which says something about the project that it is in, and no more.', now(), now()
      from unnest(${ids}::uuid[]) with ordinality made (id, n)`
    await tx`
      insert into edges (org_id, project_id, id, from_block_id, to_block_id, created_at)
      select ${orgId}, ${projectId}, gen_random_uuid(), id, next, now()
      from unnest(${ids.slice(0, -1)}::uuid[], ${ids.slice(1)}::uuid[]) made (id, next)`
    await tx`
      update projects set block_count = block_count + ${count}, edge_count = edge_count + ${count - 1}
      where org_id = ${orgId} and id = ${projectId}`
  })
  return ids
}

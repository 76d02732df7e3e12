import type { Sql } from '../../../database/database.ts'
import { sortKeyOf } from '../names.ts'

/** The oldest folder with exactly this name that is not in the trash. */
export async function findFolderNamed(sql: Sql, orgId: string, parentId: string, name: string) {
  const [row] = await sql<{ id: string }[]>`
    select id from files
    where org_id = ${orgId} and parent_id = ${parentId} and rank = 0 and sort_key = ${sortKeyOf(name)}
      and name = ${name} and source = 'folder' and deleted_at is null
    order by id limit 1`
  return row?.id ?? null
}

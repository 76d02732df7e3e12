import type { Sql } from '../../database/database.ts'
import { searchKeyOf, sortKeyOf } from './names.ts'

export async function updateProjectFolderName(
  sql: Sql,
  orgId: string,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<void> {
  await sql`
    update files set name = ${name}, sort_key = ${sortKeyOf(name)}, search_key = ${searchKeyOf(name)},
      version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id = ${id}`
}

export async function updateProjectFolderDeleted(
  sql: Sql,
  orgId: string,
  id: string,
  now: Date,
): Promise<void> {
  await sql`
    update files set deleted_at = ${now}, trashed_from = '[]', version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id = ${id}`
}

import type { Sql } from '../../../../database/database.ts'
import { searchKeyOf, sortKeyOf } from '../names.ts'

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

/** Null if it is not in the trash. */
export async function updateProjectFolderRestored(sql: Sql, orgId: string, projectId: string, now: Date) {
  const [row] = await sql<{ id: string }[]>`
    update files f set deleted_at = null, trashed_from = null, version = f.version + 1, updated_at = ${now}
    from folders s
    where s.org_id = ${orgId} and s.project_id = ${projectId} and cardinality(s.path) = 2 and s.trashed_by = s.id
      and f.org_id = s.org_id and f.id = s.id
    returning f.id`
  return row ?? null
}

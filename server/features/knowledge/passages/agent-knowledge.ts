import type { Sql } from '../../../database/database.ts'

/** Projects, folders and files that haven't been deleted. Whether a caller sees them is checked when they search. */
export async function listExistingKnowledge(
  sql: Sql,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await sql<{ id: string }[]>`
    select p.id from projects p where p.org_id = ${orgId} and p.id = any(${[...ids]}::uuid[]) and p.deleted_at is null
    union all
    select f.id from files f where f.org_id = ${orgId} and f.id = any(${[...ids]}::uuid[]) and f.deleted_at is null`
  return new Set(rows.map(({ id }) => id))
}

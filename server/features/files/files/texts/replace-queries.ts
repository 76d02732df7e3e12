import type { Sql } from '../../../../database/database.ts'
import { sortKeyOf } from '../names.ts'
import type { FileRow } from '../records.ts'

/** Serializes writers of one name in one folder, so that two of them do not both create it. */
export async function lockName(sql: Sql, orgId: string, parentId: string, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`name ${orgId} ${parentId} ${name}`}, 0))`
}

/** Up to two of the files and links with exactly this name in the folder, the oldest first, locked. */
export const lockFilesNamed = (sql: Sql, orgId: string, parentId: string, name: string) => sql<
  Pick<FileRow, 'id' | 'source'>[]
>`
  select id, source from files
  where org_id = ${orgId} and parent_id = ${parentId} and rank = 1 and sort_key = ${sortKeyOf(name)}
    and name = ${name} and deleted_at is null and status = 'ready'
  order by id limit 2 for update`

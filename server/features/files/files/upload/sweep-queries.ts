import type { Sql } from '../../../../database/database.ts'
import { type FileRow, selectFile } from '../records.ts'

export interface UnownedObject {
  orgId: string
  key: string
  createdAt: string
  /** The pending file that the object belongs to; null if there is none. */
  fileId: string | null
}

/** Unowned objects of all organizations that were created before this time, the oldest first. */
export async function listUnowned(sql: Sql, before: Date, after: UnownedObject | null, limit: number) {
  return sql<UnownedObject[]>`
    select o.org_id as "orgId", o.key, o.created_at as "createdAt", f.id as "fileId"
    from objects o left join files f on f.org_id = o.org_id and f.object_key = o.key
    where o.stored_at is null and o.created_at < ${before}
      ${after ? sql`and (o.created_at, o.key) > (${after.createdAt}::timestamptz, ${after.key})` : sql``}
    order by o.created_at, o.key limit ${limit}`
}

/** The pending file, also in the trash. */
export async function findPending(sql: Sql, { orgId, fileId }: UnownedObject) {
  const [row] = await sql<FileRow[]>`
    ${selectFile(sql, null)} where f.org_id = ${orgId} and f.id = ${fileId} and f.status = 'pending'`
  return row ?? null
}

export async function deletePending(sql: Sql, { orgId, fileId, key }: UnownedObject): Promise<void> {
  await sql`
    delete from files
    where org_id = ${orgId} and id = ${fileId} and status = 'pending' and object_key = ${key}`
}

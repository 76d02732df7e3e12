import type { Sql } from '../../../database/database.ts'
import { type FileRow, selectFile } from '../records.ts'

interface Arrived {
  id: string
  staged: string
  key: string
  sha256: string
  now: Date
}

/** The announced file is whole; null if it was before, or is gone. */
export async function updateArrived(
  sql: Sql,
  orgId: string,
  { id, staged, key, sha256, now }: Arrived,
): Promise<FileRow | null> {
  const [row] = await sql<FileRow[]>`
    with f as (
      update files set object_key = ${key}, sha256 = decode(${sha256}, 'hex'), status = 'ready',
        version = version + 1, updated_at = ${now}
      where org_id = ${orgId} and id = ${id} and status = 'pending' and object_key = ${staged}
      returning *
    ) ${selectFile(sql, null, sql`f`)}`
  return row ?? null
}

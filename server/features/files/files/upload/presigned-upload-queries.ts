import type { Sql } from '../../../../database/database.ts'
import { type FileRow, selectFile } from '../records.ts'

interface FinalizedUpload {
  id: string
  stagingKey: string
  key: string
  sha256: string
  now: Date
}

/** Marks the pending file as ready; null if it is ready already, or deleted. */
export async function updateFinalized(
  sql: Sql,
  orgId: string,
  { id, stagingKey, key, sha256, now }: FinalizedUpload,
): Promise<FileRow | null> {
  const [row] = await sql<FileRow[]>`
    with f as (
      update files set object_key = ${key}, sha256 = decode(${sha256}, 'hex'), status = 'ready',
        version = version + 1, updated_at = ${now}
      where org_id = ${orgId} and id = ${id} and status = 'pending' and object_key = ${stagingKey}
      returning *
    ) ${selectFile(sql, null, sql`f`)}`
  return row ?? null
}

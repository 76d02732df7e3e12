import type { Sql } from '../../../../database/database.ts'

export interface StoredFile {
  orgId: string
  name: string
  mimeType: string
  size: number
  objectKey: string
}

/** The object of a file, wherever the file is. */
export async function findStored(sql: Sql, orgId: string, id: string): Promise<StoredFile | null> {
  const [row] = await sql<StoredFile[]>`
    select org_id as "orgId", name, mime_type as "mimeType", size, object_key as "objectKey" from files
    where org_id = ${orgId} and id = ${id} and object_key is not null`
  return row ?? null
}

import type { z } from 'zod'
import type { memory } from '../../../../contract/knowledge/memory.ts'
import type { Sql } from '../../../database/database.ts'
import type { Draft } from './records.ts'

type VersionRow = z.output<typeof memory.versions.output>['items'][number]

export const listVersions = (
  sql: Sql,
  orgId: string,
  memoryId: string,
  { before, limit }: { before: number | null; limit: number },
) => sql<VersionRow[]>`
  select v.version, v.change, v.key, v.content, v.tags, v.source, v.run_id as "runId",
    v.restored_from as "restoredFrom", v.created_at as "createdAt", (
      select json_build_object('id', u.id, 'name', u.name) from users u where u.id = v.written_by
    ) as by
  from memory_versions v
  where v.org_id = ${orgId} and v.memory_id = ${memoryId} and ${before === null ? sql`true` : sql`v.version < ${before}`}
  order by v.version desc limit ${limit}`

export async function findVersion(sql: Sql, orgId: string, memoryId: string, version: number) {
  const [row] = await sql<Draft[]>`
    select key, content, tags from memory_versions
    where org_id = ${orgId} and memory_id = ${memoryId} and version = ${version}`
  return row ?? null
}

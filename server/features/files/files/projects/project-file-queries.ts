import type { Sql } from '../../../../database/database.ts'
import type { FileRow } from '../records.ts'

export interface ProjectFileRow {
  id: string
  parentId: string | null
  name: string
  mimeType: string
  size: number
  sha256: string | null
  source: FileRow['source']
}

export async function listProjectRows(sql: Sql, orgId: string, projectId: string) {
  return sql<ProjectFileRow[]>`
    select f.id, case when cardinality(p.path) > 2 then p.id end as "parentId", f.name, f.mime_type as "mimeType",
      f.size, encode(coalesce(t.sha256, f.sha256), 'hex') as sha256, f.source
    from folders p join files f on f.org_id = p.org_id and f.parent_id = p.id
    left join (files t join folders tp on tp.org_id = t.org_id and tp.id = t.parent_id and tp.trashed_by is null)
      on t.org_id = f.org_id and t.id = f.target_id and t.deleted_at is null and t.status = 'ready'
        and coalesce(tp.project_id, p.project_id) = p.project_id
    where p.org_id = ${orgId} and p.project_id = ${projectId} and p.trashed_by is null
      and f.deleted_at is null and f.status = 'ready'`
}

export async function listProjectFileIds(
  sql: Sql,
  orgId: string,
  projectId: string,
  ids: string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select f.id from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${orgId} and f.id = any(${ids}::uuid[]) and f.source <> 'folder' and f.deleted_at is null
      and f.status = 'ready' and p.project_id = ${projectId} and p.trashed_by is null`
  return rows.map(({ id }) => id)
}

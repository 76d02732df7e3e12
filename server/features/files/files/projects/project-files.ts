import { toPathSegment } from '../../../../../contract/projects/manifest-paths.ts'
import type { Sql } from '../../../../database/database.ts'
import type { FileRow } from '../records.ts'

export interface ProjectFile {
  id: string
  /** Null in the project's folder itself. */
  parentId: string | null
  /** Relative to the project's folder, with the name: `plans/draft.txt`. */
  path: string
  name: string
  mimeType: string
  size: number
  /** A link has its target's hash, unless the target is in another project. */
  sha256: string | null
  source: 'upload' | 'folder' | 'link'
}

export async function list(sql: Sql, orgId: string, projectId: string): Promise<ProjectFile[]> {
  const rows = await listProjectRows(sql, orgId, projectId)
  const folders = new Map(rows.filter(({ source }) => source === 'folder').map((row) => [row.id, row]))
  const paths = new Map<string, string>()
  const pathOf = ({ id, parentId, name }: ProjectFileRow): string => {
    const parent = parentId === null ? undefined : folders.get(parentId)
    const path = paths.get(id) ?? (parent ? `${pathOf(parent)}/${toPathSegment(name)}` : toPathSegment(name))
    paths.set(id, path)
    return path
  }
  return rows.map((row) => ({ ...row, path: pathOf(row) })).sort(byPath)
}

const byPath = (a: ProjectFile, b: ProjectFile) =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.id < b.id ? -1 : 1

interface ProjectFileRow {
  id: string
  parentId: string | null
  name: string
  mimeType: string
  size: number
  sha256: string | null
  source: FileRow['source']
}

async function listProjectRows(sql: Sql, orgId: string, projectId: string) {
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

/** Files for other features, which must check the caller's project access first. */

export async function filter(sql: Sql, orgId: string, projectId: string, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select f.id from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${orgId} and f.id = any(${ids}::uuid[]) and f.source <> 'folder' and f.deleted_at is null
      and f.status = 'ready' and p.project_id = ${projectId} and p.trashed_by is null`
  return rows.map(({ id }) => id)
}

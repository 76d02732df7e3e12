import type { Fragment, Sql } from '../../../../database/database.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import { folderAccess } from '../access.ts'
import { isPurgeable } from './purge-access.ts'

/** How much is deleted: `entries` as the trash lists them, `files` with those inside of folders, `bytes` with versions. */
export interface Amount {
  entries: number
  files: number
  bytes: number
}

/** The trash of the viewer. The access function runs once for each project instead of once for each row. */
export async function summarizeTrash(sql: Sql, viewer: Viewer): Promise<Amount & { others: number }> {
  const { orgId } = viewer
  const [row] = await sql<(Amount & { others: number })[]>`
    with trashed as materialized (
      select f.id, f.source, f.size, f.created_by, p.project_id, coalesce(p.project_id, ${orgId}::uuid) as space
      from ${trashedFiles(sql, orgId)}
    ), reachable as materialized (
      select d.space, ${folderAccess(sql, viewer, sql`d.project_id`)} as access
      from (select distinct space, project_id from trashed) d
    ), seen as materialized (
      select f.id, f.source, f.size, r.access = 'edit' and ${isPurgeable(sql, viewer, sql`f.project_id`)} as purgeable
      from trashed f join reachable r on r.space = f.space where r.access is not null
    ), roots as (select id, source, size from seen where purgeable)
    ${amountOf(sql, orgId)}, (select count(*) from seen where not purgeable)::int as others`
  return row!
}

/** Records in the trash that the viewer may purge, the oldest first. */
export async function listPurgeable(
  sql: Sql,
  viewer: Viewer,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select f.id from ${trashedFiles(sql, viewer.orgId)}
      and f.deleted_at < ${before} and ${folderAccess(sql, viewer, sql`p.project_id`)} = 'edit'
      and ${isPurgeable(sql, viewer, sql`p.project_id`)}
    order by f.deleted_at, f.id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** The records of the trash as `f`, each with its folder `p`. Folders of projects are purged with their projects. */
export const trashedFiles = (sql: Sql, orgId: string): Fragment => sql`
  files f cross join lateral (
    select p.project_id from folders p
    where p.org_id = ${orgId} and p.id = case when f.source = 'folder' then f.id else f.parent_id end limit 1
  ) p
  where f.org_id = ${orgId} and f.deleted_at is not null and not f.protected`

/** Continues `with roots as (select id, source, size …)`, the records to delete, and ends in the columns of `Amount`. */
export const amountOf = (sql: Sql, orgId: string): Fragment => sql`
  , gone as materialized (
    select id, source, size from roots
    union all
    select f.id, f.source, f.size from roots r
    join folders s on s.org_id = ${orgId} and s.trashed_by = r.id
    join files f on f.org_id = ${orgId} and f.parent_id = s.id and f.deleted_at is null
    where r.source = 'folder'
  )
  select (select count(*) from roots)::int as entries,
    (select count(*) from gone where source <> 'folder')::int as files,
    (select coalesce(sum(size) filter (where source = 'upload'), 0) from gone)::bigint
      + (select coalesce(sum(v.size), 0) from gone g join file_versions v on v.org_id = ${orgId} and v.file_id = g.id)::bigint
      as bytes`

import type { z } from 'zod'
import type { FileRecord } from '../../../../contract/files/files.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import type { Viewer } from '../../projects/access/access.ts'
import { folderAccess } from './access.ts'

/** A file as the queries of this feature select it. */
export interface FileRow {
  orgId: string
  id: string
  parentId: string
  projectId: string | null
  source: 'upload' | 'folder' | 'link'
  name: string
  sortKey: string
  mimeType: string
  size: number
  /** The object with the bytes; for a link that of its target, or null while the target is missing. */
  objectKey: string | null
  sha256: string | null
  targetId: string | null
  status: 'pending' | 'ready'
  protected: boolean
  tags: string[]
  createdBy: string
  runId: string | null
  version: number
  createdAt: string
  updatedAt: string
  deletedAt: string | null
}

/**
 * The select clause of a file: the record `f`, the folder `p` that it is or is in, and the target `t` of a link if the
 * viewer sees it (null: the system, which sees all). `from` is the source of `f`, such as the CTE of an insert.
 *
 * `limit 1` makes the folder and the target lookups by primary key, one for each record that the query returns. Joined
 * instead, tables without statistics are compared row by row: with 240 files in 60 folders the access function was
 * called 160,000 times.
 */
export const selectFile = (sql: Sql, viewer: Viewer | null, from: Fragment = sql`files f`): Fragment => sql`
  select f.org_id as "orgId", f.id, f.parent_id as "parentId", f.source, f.name, f.sort_key as "sortKey",
    p.project_id as "projectId",
    coalesce(t.mime_type, f.mime_type) as "mimeType", coalesce(t.size, f.size) as size,
    coalesce(t.object_key, f.object_key) as "objectKey",
    encode(coalesce(t.sha256, f.sha256), 'hex') as sha256, f.target_id as "targetId", f.status,
    f.protected, f.tags, f.created_by as "createdBy", f.run_id as "runId", f.version,
    f.created_at as "createdAt", f.updated_at as "updatedAt", f.deleted_at as "deletedAt"
  from ${from}
  cross join lateral (
    select p.project_id, p.trashed_by from folders p
    where p.org_id = f.org_id and p.id = case when f.source = 'folder' then f.id else f.parent_id end limit 1
  ) p
  left join lateral (
    select t.* from files t
    where f.source = 'link' and t.org_id = f.org_id and t.id = f.target_id and t.deleted_at is null
      and t.status = 'ready' and ${isTargetVisible(sql, viewer)} limit 1
  ) t on true`

/** Whether the folder of target `t` is not in the trash and visible to the viewer, who can already see the project of `p`. */
const isTargetVisible = (sql: Sql, viewer: Viewer | null): Fragment => sql`(
  select tp.trashed_by is null ${
    viewer
      ? sql`and (tp.project_id is not distinct from p.project_id
          or ${folderAccess(sql, viewer, sql`tp.project_id`)} is not null)`
      : sql``
  } from folders tp where tp.org_id = t.org_id and tp.id = t.parent_id)`

export const FOLDER_TYPE = 'inode/directory'

export const present = (row: FileRow): z.output<typeof FileRecord> => ({
  id: row.id,
  name: row.name,
  mimeType: row.mimeType,
  size: row.size,
  parentId: row.parentId === row.orgId ? null : row.parentId,
  projectId: row.projectId,
  source: row.source,
  targetFileId: row.targetId,
  ...(row.source === 'link' ? { targetMissing: row.objectKey === null } : {}),
  storageUrl: row.source === 'folder' ? null : `/api/v1/files/${row.id}?download=true`,
  tags: row.tags,
  status: row.status,
  sha256: row.sha256,
  protected: row.protected,
  createdBy: row.createdBy,
  runId: row.runId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  deletedAt: row.deletedAt,
})

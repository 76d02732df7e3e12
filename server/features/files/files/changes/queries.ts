import type { Fragment, Sql } from '../../../../database/database.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import { isFolderVisible } from '../access.ts'
import { type FileState, stateColumns } from '../record-change.ts'

export interface FoldedChange {
  id: string
  seq: number
  /** Before the first change. Null if the run created the file. */
  before: FileState | null
  after: FileState
  /** Keeps the content from before the run, if the run replaced it. */
  formerId: string | null
  firstAt: string
}

export interface FoldedFile extends FoldedChange {
  /** Null if permanently deleted. */
  current: FileState | null
  hasFormer: boolean
}

const fold = (sql: Sql, orgId: string, runIds: readonly string[]): Fragment => sql`
  select c.file_id as id, min(c.seq) as seq, (array_agg(c.before order by c.seq))[1] as before,
    (array_agg(c.after order by c.seq desc))[1] as after,
    (array_agg(c.former_id order by c.seq) filter (where c.former_id is not null))[1] as "formerId",
    min(c.created_at) as "firstAt"
  from file_changes c where c.org_id = ${orgId} and c.run_id = any(${[...runIds]}::uuid[]) group by c.file_id`

export const foldFiles = (sql: Sql, orgId: string, runIds: readonly string[]) => sql<FoldedFile[]>`
  select c.*, now.state as current, c."formerId" is not null and exists (
    select from file_versions v where v.org_id = ${orgId} and v.file_id = c.id
      and v.sha256 = decode(c.before ->> 'sha256', 'hex') and v.mime_type = c.before ->> 'mimeType') as "hasFormer"
  from (${fold(sql, orgId, runIds)}) c
  left join lateral (
    select ${stateColumns(sql)} as state from files f
    join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${orgId} and f.id = c.id limit 1
  ) now on true
  order by c.seq`

/** Keeps other callers from changing the files during an undo. */
export async function lockChangedFiles(sql: Sql, orgId: string, runIds: readonly string[]): Promise<void> {
  const ids = [...runIds]
  await sql`
    select from files f where f.org_id = ${orgId} and f.id in (
      select c.file_id from file_changes c where c.org_id = ${orgId} and c.run_id = any(${ids}::uuid[]))
    order by f.id for update`
}

export const listFolded = (
  sql: Sql,
  viewer: Viewer,
  runIds: readonly string[],
  { after, limit }: { after: number; limit: number },
) => sql<FoldedChange[]>`
  select c.* from (${fold(sql, viewer.orgId, runIds)}) c
  where c.seq > ${after} and ${isStateVisible(sql, viewer, sql`c.before`)} and ${isStateVisible(sql, viewer, sql`c.after`)}
    and (c.before is not null or not (c.after ->> 'trashed')::boolean)
  order by c.seq limit ${limit}`

const isStateVisible = (sql: Sql, viewer: Viewer, state: Fragment): Fragment =>
  sql`(${state} is null or ${isFolderVisible(sql, viewer, sql`(${state} ->> 'projectId')::uuid`)})`

export async function findFolded(sql: Sql, viewer: Viewer, runIds: readonly string[], fileId: string) {
  const [row] = await sql<FoldedChange[]>`
    select c.* from (${fold(sql, viewer.orgId, runIds)}) c
    where c.id = ${fileId} and ${isStateVisible(sql, viewer, sql`c.before`)}
      and ${isStateVisible(sql, viewer, sql`c.after`)}`
  return row ?? null
}

export async function findContent(sql: Sql, orgId: string, fileId: string, sha256: string) {
  const [row] = await sql<{ objectKey: string; mimeType: string; size: number }[]>`
    select f.object_key as "objectKey", f.mime_type as "mimeType", f.size from files f
    where f.org_id = ${orgId} and f.id = ${fileId} and f.sha256 = decode(${sha256}, 'hex') and f.status = 'ready'
      and f.object_key is not null
    union all
    select v.object_key, v.mime_type, v.size from file_versions v
    where v.org_id = ${orgId} and v.file_id = ${fileId} and v.sha256 = decode(${sha256}, 'hex')
    limit 1`
  return row ?? null
}

export const listReleasable = (sql: Sql, before: Date, limit: number) => sql<
  { orgId: string; runId: string }[]
>`
  select distinct c.org_id as "orgId", c.run_id as "runId"
  from file_changes c join runs r on r.org_id = c.org_id and r.id = c.run_id
  where c.created_at < ${before} and r.finished_at < ${before} limit ${limit}`

export const listRunsWithChanges = (sql: Sql, orgId: string, projectId: string, limit: number) => sql<
  { runId: string }[]
>`
  select distinct c.run_id as "runId" from runs r join file_changes c on c.org_id = r.org_id and c.run_id = r.id
  where r.org_id = ${orgId} and r.project_id = ${projectId} limit ${limit}`

/** Replaced versions stay until version retention deletes them. */
export async function deleteChanges(sql: Sql, orgId: string, runId: string): Promise<void> {
  await sql`delete from file_changes where org_id = ${orgId} and run_id = ${runId}`
}

import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { conflict } from '../../../errors.ts'

export interface FileState {
  name: string
  parentId: string
  /** Folder ids from the root down. */
  path: string[]
  /** Their names, such as `/Plans/2026`. */
  folder: string
  projectId: string | null
  source: 'upload' | 'folder' | 'link'
  mimeType: string
  size: number
  sha256: string | null
  tags: string[]
  /** Trashed itself, not with a folder above it. */
  trashed: boolean
  version: number
}

export const stateColumns = (sql: Sql): Fragment => sql`jsonb_build_object(
  'name', f.name, 'parentId', f.parent_id, 'path', to_jsonb(p.path), 'folder', '/' || coalesce((
    select string_agg(a.name, '/' order by step.depth) from unnest(p.path) with ordinality step (id, depth)
    join files a on a.org_id = f.org_id and a.id = step.id), ''),
  'projectId', p.project_id, 'source', f.source, 'mimeType', f.mime_type, 'size', f.size,
  'sha256', encode(f.sha256, 'hex'), 'tags', to_jsonb(f.tags), 'trashed', f.deleted_at is not null,
  'version', f.version)`

export async function lockState(sql: Sql, orgId: string, id: string): Promise<FileState | null> {
  const [row] = await sql<{ state: FileState }[]>`
    select ${stateColumns(sql)} as state
    from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${orgId} and f.id = ${id} for update of f`
  return row?.state ?? null
}

type RecordingContext = Pick<Context, 'sql' | 'caller' | 'now'>

export interface Recording {
  sql: Sql
  orgId: string
  runId: string
  now: Date
}

/** Null unless the caller is a run, as only runs' changes are recorded. */
export async function stateBefore({ sql, caller }: RecordingContext, id: string): Promise<FileState | null> {
  return caller.via === 'run' ? lockState(sql, caller.orgId, id) : null
}

interface RecordedChange {
  id: string
  before: FileState | null
  formerId?: string
}

/** Same transaction as the change, so neither exists alone. */
export async function recordChange(
  { sql, caller, now }: RecordingContext,
  change: RecordedChange,
): Promise<void> {
  if (caller.via !== 'run') return
  const { orgId, credentialId: runId } = caller
  await requireRunning(sql, orgId, runId)
  await insertChange({ sql, orgId, runId, now: now() }, change)
}

export async function insertChange(
  { sql, orgId, runId, now }: Recording,
  { id, before, formerId }: RecordedChange,
): Promise<void> {
  await sql`
    insert into file_changes (org_id, run_id, file_id, before, after, former_id, created_at)
    select ${orgId}, ${runId}, f.id, ${before ? sql.json(before as never) : null}::jsonb, ${stateColumns(sql)},
      ${formerId ?? null}::uuid, ${now}::timestamptz
    from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${orgId} and f.id = ${id}`
}

const lockKeyOf = (sql: Sql, orgId: string, runId: string) =>
  sql`hashtextextended(${`file changes ${orgId} ${runId}`}, 0)`

/**
 * A change in progress when a run ends must not commit after the run was undone. An undo waits for the shared lock. A
 * change never waits, because it may have locked folders that the undo needs.
 */
async function requireRunning(sql: Sql, orgId: string, runId: string): Promise<void> {
  const [run] = await sql<{ status: string; isFree: boolean }[]>`
    select status, pg_try_advisory_xact_lock_shared(${lockKeyOf(sql, orgId, runId)}) as "isFree"
    from runs where org_id = ${orgId} and id = ${runId}`
  if (run?.status !== 'running' || !run.isFree) throw conflict('This run has ended')
}

/** Waits until all the run's changes have committed. Later ones are rejected. */
export async function lockChanges(sql: Sql, orgId: string, runId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeyOf(sql, orgId, runId)})`
}

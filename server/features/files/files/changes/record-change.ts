import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { conflict } from '../../../../errors.ts'
import { type FileState, lockState, stateColumns } from './file-state.ts'

type RecordingContext = Pick<Context, 'sql' | 'caller' | 'now'>

/** The run in which a change is recorded. */
export interface Recording {
  sql: Sql
  orgId: string
  runId: string
  now: Date
}

/** The state before a change if the caller is a run; otherwise null, because only changes of runs are recorded. */
export async function stateBefore({ sql, caller }: RecordingContext, id: string): Promise<FileState | null> {
  return caller.via === 'run' ? lockState(sql, caller.orgId, id) : null
}

interface RecordedChange {
  id: string
  /** Null for a new file. */
  before: FileState | null
  /** The version that has the content from before the change. */
  formerId?: string
}

/** Records a change of a file by a run, in the transaction of the change, so that neither exists alone. */
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
 * A change in progress when a run ends must not commit after the run was undone. An undo waits for the shared
 * lock; a change never waits, because it may have locked folders that the undo needs.
 */
async function requireRunning(sql: Sql, orgId: string, runId: string): Promise<void> {
  const [run] = await sql<{ status: string; isFree: boolean }[]>`
    select status, pg_try_advisory_xact_lock_shared(${lockKeyOf(sql, orgId, runId)}) as "isFree"
    from runs where org_id = ${orgId} and id = ${runId}`
  if (run?.status !== 'running' || !run.isFree) throw conflict('This run has ended')
}

/** Waits until every change of the run has committed; later ones are refused. */
export async function lockChanges(sql: Sql, orgId: string, runId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKeyOf(sql, orgId, runId)})`
}

import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound, viewOnly } from '../../../errors.ts'
import { projectAccess } from '../../projects/access/access.ts'

/** Or an externally reported run, or an undo. */
export interface UndoableRun {
  orgId: string
  id: string
  projectId: string
  title: string | null
  status: string
  restoredAt: string | null
  releasedAt: string | null
  /** For an undo: the run it undid or restored. */
  undoOf: string | null
}

/** Throws NOT_FOUND unless the caller sees the project and, with `edit`, FORBIDDEN if the caller can only view it. */
export async function findUndoable(ctx: Context, id: string, to: 'view' | 'edit'): Promise<UndoableRun> {
  const { sql, caller } = ctx
  const [row] = await sql<(UndoableRun & { access: 'view' | 'edit' })[]>`
    select r.org_id as "orgId", r.id, r.project_id as "projectId", r.title, r.status, r.restored_at as "restoredAt",
      r.released_at as "releasedAt", r.undo_of as "undoOf", a.access
    from runs r
    join projects p on p.org_id = r.org_id and p.id = r.project_id and p.deleted_at is null,
      lateral (select ${projectAccess(sql, caller)} as access) a
    where r.org_id = ${caller.orgId} and r.id = ${id} and a.access is not null`
  if (!row) throw notFound('Run')
  if (to === 'edit' && row.access !== 'edit') throw viewOnly()
  return row
}

/** Excludes undos. */
export const listDescendants = (sql: Sql, orgId: string, runId: string) => sql<
  Pick<UndoableRun, 'id' | 'status' | 'restoredAt' | 'releasedAt'>[]
>`
  with recursive family as (
    select id, status, restored_at, released_at from runs
    where org_id = ${orgId} and parent_run_id = ${runId}
    union
    select r.id, r.status, r.restored_at, r.released_at from family f
    join runs r on r.org_id = ${orgId} and r.parent_run_id = f.id
  )
  select id, status, restored_at as "restoredAt", released_at as "releasedAt" from family`

export async function findLastUndo(sql: Sql, orgId: string, runId: string) {
  const [row] = await sql<Pick<UndoableRun, 'id' | 'restoredAt' | 'releasedAt'>[]>`
    select id, restored_at as "restoredAt", released_at as "releasedAt" from runs
    where org_id = ${orgId} and undo_of = ${runId} order by id desc limit 1`
  return row ?? null
}

/** Its changes commit in the same transaction. */
export async function insertUndo(
  sql: Sql,
  { orgId, projectId }: Pick<UndoableRun, 'orgId' | 'projectId'>,
  undo: { id: string; undoOf: string; title: string; createdBy: string; now: Date },
): Promise<void> {
  const { id, undoOf, title, createdBy, now } = undo
  await sql`
    insert into runs (org_id, id, project_id, title, status, created_by, created_at, started_at, finished_at, undo_of)
    values (${orgId}, ${id}, ${projectId}, ${title}, 'succeeded', ${createdBy}, ${now}, ${now}, ${now}, ${undoOf})`
}

interface UndoTarget {
  runId: string
  startedIds: readonly string[]
  undoRunId: string
  isUndone: boolean
  now: Date
}

/**
 * Runs undone separately stay undone. Marks earlier undos and restores as reverted, so that only the new one is in
 * effect.
 */
export async function updateUndone(sql: Sql, orgId: string, target: UndoTarget): Promise<void> {
  const { runId, startedIds, undoRunId, isUndone, now } = target
  await sql`
    update runs r set restored_at = ${isUndone ? now : null} from runs root
    where root.org_id = ${orgId} and root.id = ${runId} and r.org_id = ${orgId}
      and r.id = any(${[runId, ...startedIds]}::uuid[]) and r.restored_at is not distinct from root.restored_at`
  await sql`
    update runs set restored_at = ${now}
    where org_id = ${orgId} and undo_of = ${runId} and id <> ${undoRunId} and restored_at is null`
}

/** Pruning has combined their canvas changes with others, so they can't be undone. */
export const releaseRuns = (sql: Sql, orgId: string, ids: string[], now: Date) => sql`
  update runs set released_at = ${now}
  where org_id = ${orgId} and id = any(${ids}::uuid[]) and released_at is null`

/** Its file change records are deleted, so it can't be undone. */
export async function updateReleased(sql: Sql, orgId: string, runId: string, now: Date): Promise<void> {
  await sql`update runs set released_at = ${now} where org_id = ${orgId} and id = ${runId}`
}

import type { z } from 'zod'
import { scopeGrants } from '../../../../contract/accounts/scopes.ts'
import type { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { UndoneItem as UndoneItemSchema } from '../../../../contract/agents/run-changes.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { ApiError, forbidden } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import {
  applyCanvasUndo,
  type CanvasUndo,
  listChangedProjects,
  planCanvasUndo,
} from '../../canvas/canvas/canvas.ts'
import { applyFileUndo, type FileUndo, planFileUndo } from '../../files/files/files.ts'
import { applyMemoryUndo, type MemoryUndo, planMemoryUndo } from '../../knowledge/memory/memory.ts'
import { lockProject, type ProjectRow } from '../../projects/projects/projects.ts'
import {
  applyTableUndo,
  listTableProjects,
  planTableUndo,
  type TableUndo,
} from '../../projects/tables/tables.ts'
import { findUndoable, insertUndo, listDescendants, type UndoableRun, updateUndone } from '../runs/runs.ts'
import { findTarget } from './undo-target.ts'

/** Reverts everything a run changed, or nothing. */
export const undoRun = (ctx: Context<'quotas'>, { id, dryRun, force }: InputOf<typeof agentRuns.undo>) =>
  ctx.transaction(async (inside) => {
    const run = await findUndoable(inside, id, 'edit')
    const plan = await planUndo(inside, run, { lock: !dryRun })
    const { items } = plan
    if (dryRun) return { runId: id, undoRunId: null, snapshotId: null, items }
    if (!force) refuseConflicts(items)
    const { undoRunId, snapshotId } = await applyUndo(inside, plan)
    return { runId: id, undoRunId, snapshotId, items }
  })

export interface UndoPlan {
  run: UndoableRun
  /** Runs to revert: the run and those it started, or its last undo or restore. */
  targetIds: string[]
  /** The run being undone or restored: `run`, unless `run` is itself an undo. */
  rootId: string
  startedIds: string[]
  isUndone: boolean
  canvases: CanvasUndo[]
  files: FileUndo[]
  memories: MemoryUndo[]
  tables: TableUndo[]
  items: UndoneItem[]
}

/** Locks the run's projects, so a concurrent undo reads the first's result. */
export async function planUndo(
  ctx: Context,
  run: UndoableRun,
  { lock }: { lock: boolean },
): Promise<UndoPlan> {
  const rootId = run.undoOf ?? run.id
  const canvasesOf = await planCanvases(ctx, run.projectId, rootId)
  const target = await findTarget(ctx, run.id, rootId)
  const canvases = await canvasesOf(target.ids)
  const files = await planFileUndo(ctx, target.ids, { lock })
  if (files.length > 0) requireFileScope(ctx)
  const memories = await planMemoryUndo(ctx, target.ids, { lock })
  const tables = await planTableUndo(ctx, target.ids, { lock })
  const items = [
    ...canvases.flatMap((canvas) =>
      canvas.items.map(
        ({ isEdited, ...item }): UndoneItem => ({
          ...item,
          isConflict: isEdited,
          reason: isEdited ? 'edited_since' : null,
        }),
      ),
    ),
    ...files.map(
      ({ file, action, reason }): UndoneItem => ({
        kind: 'file',
        id: file.id,
        name: (file.current ?? file.after).name,
        action,
        isConflict: reason !== null,
        reason,
      }),
    ),
    ...memories.map(
      ({ memory: { id, before, after, current }, action, reason }): UndoneItem => ({
        kind: 'memory',
        id,
        name: (current ?? after ?? before)?.key ?? null,
        action,
        isConflict: reason !== null,
        reason,
      }),
    ),
    ...tables.map(
      ({ table: { id, name }, action, reason }): UndoneItem => ({
        kind: 'table',
        id,
        name,
        action,
        isConflict: reason !== null,
        reason,
      }),
    ),
  ]
  const { ids: targetIds, startedIds, isUndone } = target
  return { run, targetIds, rootId, startedIds, isUndone, canvases, files, memories, tables, items }
}

/** Records the undo's changes as a new run, so the undo can be undone in the same way. */
export async function applyUndo(ctx: Context<'quotas'>, plan: UndoPlan) {
  const { sql, caller } = ctx
  const { run, rootId, startedIds, targetIds } = plan
  const { orgId, projectId } = run
  const now = ctx.now()
  const undoRunId = newId()
  const title = plan.isUndone ? 'Restore a run’s changes' : 'Undo a run'
  await insertUndo(sql, run, { id: undoRunId, undoOf: rootId, title, createdBy: caller.userId, now })
  const snapshots = new Map<string, string>()
  for (const canvas of plan.canvases)
    snapshots.set(canvas.project.id, await applyCanvasUndo(ctx, canvas, { runId: rootId, undoRunId }))
  await applyFileUndo(ctx, plan.files, undoRunId)
  await applyMemoryUndo(ctx, plan.memories, undoRunId)
  await applyTableUndo(ctx, plan.tables, undoRunId)
  await updateUndone(sql, orgId, { runId: rootId, startedIds, undoRunId, isUndone: !plan.isUndone, now })
  const details = { projectId, undoRunId, reverted: targetIds.join(' '), items: String(plan.items.length) }
  await recordAudit(ctx, { action: 'run.undone', by: caller, target: run.id, details })
  return { undoRunId, snapshotId: snapshots.get(projectId) ?? null }
}

/** Endpoints that change files require this scope, so undoing such changes does too. */
function requireFileScope({ caller: { scopes } }: Context): void {
  if (scopes === 'all' || scopeGrants(scopes, 'files:write')) return
  throw forbidden('This run changed files: undoing it requires an API key with the scope files:write', {
    reason: 'missing_scope',
    required: ['files:write'],
  })
}

export type UndoneItem = z.output<typeof UndoneItemSchema>

/** Errors about many items list the first ones and the count. */
const LISTED_MAX = 100

/** Refuses an undo that would overwrite others' changes or can't revert everything. */
function refuseConflicts(items: readonly UndoneItem[]): void {
  const conflicts = items.filter(({ isConflict }) => isConflict)
  if (conflicts.length === 0) return
  const count = conflicts.length
  const listed = conflicts.slice(0, LISTED_MAX)
  throw new ApiError(
    'CONFLICT',
    `${count === 1 ? 'One item was' : `${count} items were`} changed since the run: send force=true to undo it anyway`,
    { details: { reason: 'edited_since', items: listed, count } },
  )
}

/**
 * Locks the run's project, and every project with a canvas or table changed by the run or one it started. The returned function
 * skips unchanged canvases.
 */
async function planCanvases(ctx: Context, projectId: string, rootId: string) {
  const projects = await lockProjects(ctx, projectId, rootId)
  return async (targetIds: readonly string[]): Promise<CanvasUndo[]> => {
    const plans: CanvasUndo[] = []
    for (const project of projects.values()) plans.push(await planCanvasUndo(ctx, project, targetIds))
    return plans.filter(({ items }) => items.length > 0)
  }
}

/** Locks in id order, so two undos never deadlock. The transaction must not have locked another project. */
export async function lockProjects(
  ctx: Context,
  projectId: string,
  rootId: string,
): Promise<Map<string, ProjectRow>> {
  const { orgId } = ctx.caller
  const started = await listDescendants(ctx.sql, orgId, rootId)
  const runIds = [rootId, ...started.map(({ id }) => id)]
  const changed = [
    ...(await listChangedProjects(ctx.sql, orgId, runIds)),
    ...(await listTableProjects(ctx.sql, orgId, runIds)),
  ]
  const projects = new Map<string, ProjectRow>()
  for (const id of [...new Set([projectId, ...changed])].toSorted())
    projects.set(id, await (id === projectId ? lockProject(ctx, id) : lockOther(ctx, id)))
  return projects
}

/** The caller may have no access to the other project. */
async function lockOther(ctx: Context, id: string): Promise<ProjectRow> {
  try {
    return await lockProject(ctx, id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw forbidden('The run also changed a project that you cannot edit', { reason: 'view_only' })
  }
}

import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { type ProjectRow, publishProjectEvent } from '../../../projects/projects/projects.ts'
import type { CanvasWrite } from '../write/canvas-write.ts'
import { writeCanvas } from '../write/write.ts'
import { type FoldedRow, foldItems, foldRuns } from './history.ts'
import { invert } from './revert.ts'
import { readItemNames } from './run-changes.ts'
import { listEditedSince } from './run-queries.ts'
import { takeSnapshot } from './snapshots.ts'

export interface CanvasUndoItem {
  kind: 'block' | 'edge'
  id: string
  name: string | null
  action: 'reverted' | 'recreated' | 'removed'
  /** By others, since the run's first change. */
  isEdited: boolean
}

export interface CanvasUndo {
  project: ProjectRow
  write: Required<CanvasWrite>
  items: CanvasUndoItem[]
}

/** Plans the inverse of these runs' changes. The caller must hold the project's lock. */
export async function planCanvasUndo(
  { sql }: Context,
  project: ProjectRow,
  runIds: readonly string[],
): Promise<CanvasUndo> {
  const { orgId, id } = project
  const folded = await foldRunChanges(sql, project, runIds)
  const write = invert(folded)
  const edited = new Set(await listEditedSince(sql, orgId, id, runIds))
  const changedItems = folded.map((row) => ({ id: row.id, values: row.before ?? {} }))
  const names = await readItemNames(sql, orgId, id, changedItems, 'changes')
  const itemsOf = (verb: keyof typeof ACTIONS): CanvasUndoItem[] =>
    (['blocks', 'edges'] as const).flatMap((table) =>
      write[verb][table]!.map((item) => {
        const itemId = typeof item === 'string' ? item : item.id
        const name = names.get(itemId) ?? null
        const kind = table === 'blocks' ? 'block' : 'edge'
        return { kind, id: itemId, name, action: ACTIONS[verb], isEdited: edited.has(itemId) }
      }),
    )
  return { project, write, items: [...itemsOf('update'), ...itemsOf('create'), ...itemsOf('delete')] }
}

const ACTIONS = { update: 'reverted', create: 'recreated', delete: 'removed' } as const

/** Returns the snapshot's id. The changes belong to the undo's own run. */
export async function applyCanvasUndo(
  ctx: Context<'quotas'>,
  { project, write }: CanvasUndo,
  { runId, undoRunId }: { runId: string; undoRunId: string },
): Promise<string> {
  const snapshot = await takeSnapshot(ctx, project, { reason: 'run' })
  await writeCanvas(ctx, project, write, { isRestoring: true, runId: undoRunId })
  await publishProjectEvent(ctx, 'project.restored', project, { from: 'run', runId })
  return snapshot.id
}

/** A block updated by the run and removed since is restored to its state before the run. Such an edge stays removed. */
async function foldRunChanges(
  sql: Sql,
  { orgId, id }: ProjectRow,
  runIds: readonly string[],
): Promise<FoldedRow[]> {
  const folded = await foldRuns(sql, orgId, id, runIds)
  const isWhole = ({ isNew, exists, before }: FoldedRow) =>
    isNew || exists || 'type' in before! || 'fromBlockId' in before!
  const removedBlocks = folded.filter((row) => !isWhole(row) && row.entity === 'block')
  const removedBlockStates = removedBlocks.length > 0 ? await foldItems(sql, orgId, id, removedBlocks) : []
  return [...folded.filter(isWhole), ...removedBlockStates]
}

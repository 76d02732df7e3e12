import type { canvas } from '../../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { notFound, raise } from '../../../../errors.ts'
import {
  findProject,
  lockProject,
  type ProjectRow,
  publishProjectEvent,
} from '../../../projects/projects/projects.ts'
import type { BlockFields, EdgeFields } from '../records.ts'
import type { CanvasWrite } from '../write/canvas-write.ts'
import { readCanvas } from '../write/queries.ts'
import { writeCanvas } from '../write/write.ts'
import { type FoldedRow, foldSince, hasChange } from './history.ts'
import { hasSnapshotAt } from './prune.ts'
import { findSnapshot, takeSnapshot } from './snapshots.ts'

/** Then the last read is returned, even if the canvas changed. */
const READS_MAX = 3

/** Appends changes, so that the history stays complete. */
export const rewind = (ctx: Context<'quotas'>, { projectId, seq }: InputOf<typeof canvas.rewind>) =>
  ctx.transaction(async (inside) => {
    const project = await lockProject(inside, projectId)
    if (!(await hasPosition(inside.sql, project, seq))) throw notFound('Change')
    return revertTo(inside, project, seq, 'history')
  })

export const restoreSnapshot = (
  ctx: Context<'quotas'>,
  { projectId, snapshotId }: InputOf<typeof canvas.restoreSnapshot>,
) =>
  ctx.transaction(async (inside) => {
    const project = await lockProject(inside, projectId)
    const snapshot =
      (await findSnapshot(inside.sql, project.orgId, project.id, snapshotId)) ?? raise(notFound('Snapshot'))
    return revertTo(inside, project, snapshot.seq, 'snapshot')
  })

/** Repeats if the canvas changes meanwhile. */
export async function readAt(ctx: Context, { projectId, seq }: InputOf<typeof canvas.at>) {
  for (let attempts = 1; ; attempts++) {
    const project = await findProject(ctx, projectId)
    const { orgId, id, changeSeq } = project
    if (!(await hasPosition(ctx.sql, project, seq))) throw notFound('Change')
    const [folded, current] = await Promise.all([
      foldSince(ctx.sql, orgId, id, seq),
      readCanvas(ctx.sql, orgId, id),
    ])
    const isCurrent = (await findProject(ctx, projectId)).changeSeq === changeSeq
    if (isCurrent || attempts === READS_MAX) return { seq, ...stateBefore(current, folded) }
  }
}

function stateBefore({ blocks, edges }: Awaited<ReturnType<typeof readCanvas>>, folded: FoldedRow[]) {
  const { create, update, delete: removed } = invert(folded)
  const apply = <T extends { id: string }>(
    rows: T[],
    changes: { create?: object[]; update?: { id: string }[]; delete?: string[] },
  ): T[] => {
    const gone = new Set(changes.delete)
    const patches = new Map(changes.update?.map((patch) => [patch.id, patch]))
    const kept = rows.filter(({ id }) => !gone.has(id)).map((row) => ({ ...row, ...patches.get(row.id) }))
    return [...kept, ...((changes.create ?? []) as T[])]
  }
  return {
    blocks: apply(blocks, { create: create.blocks, update: update.blocks, delete: removed.blocks }),
    edges: apply(edges, { create: create.edges, update: update.edges, delete: removed.edges }).map(
      (edge) => ({
        ...edge,
        style: edge.style ?? {},
        condition: edge.condition ?? null,
      }),
    ),
  }
}

/** Updates combined with the next one aren't positions. In pruned history, only snapshots are. */
async function hasPosition(sql: Sql, { orgId, id, changeSeq, prunedSeq }: ProjectRow, seq: number) {
  if (seq === 0 || seq >= changeSeq) return seq <= changeSeq
  return seq > prunedSeq ? hasChange(sql, orgId, id, seq) : hasSnapshotAt(sql, orgId, id, seq)
}

async function revertTo(
  ctx: Context<'quotas'>,
  project: ProjectRow,
  seq: number,
  reason: 'history' | 'snapshot',
) {
  const folded = await foldSince(ctx.sql, project.orgId, project.id, seq)
  const snapshot = await takeSnapshot(ctx, project, { reason })
  const { counts } = await writeCanvas(ctx, project, invert(folded), { isRestoring: true })
  await publishProjectEvent(ctx, 'project.restored', project, { from: reason })
  return { snapshotId: snapshot.id, ...counts }
}

export function invert(folded: FoldedRow[]): Required<CanvasWrite> {
  const select = (entity: FoldedRow['entity'], isNew: boolean, exists: boolean) =>
    folded.filter((row) => row.entity === entity && row.isNew === isNew && row.exists === exists)
  const ids = (rows: FoldedRow[]) => rows.map(({ id }) => id)
  const blocks = (rows: FoldedRow[]) =>
    rows.map(({ id, before }) => ({ id, ...(before as unknown as BlockFields) }))
  const edges = (rows: FoldedRow[]) =>
    rows.map(({ id, before }) => ({ id, ...(before as unknown as EdgeFields) }))
  return {
    create: { blocks: blocks(select('block', false, false)), edges: edges(select('edge', false, false)) },
    update: { blocks: blocks(select('block', false, true)), edges: edges(select('edge', false, true)) },
    delete: { blocks: ids(select('block', true, true)), edges: ids(select('edge', true, true)) },
  }
}

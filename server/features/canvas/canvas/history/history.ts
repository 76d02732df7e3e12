import type { canvas } from '../../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { findProject, type ProjectRow } from '../../../projects/projects/projects.ts'
import { listChanges } from './history-queries.ts'
import { listSnapshotsAt } from './prune-queries.ts'

/** The changes of a canvas, newest first, optionally of one block or edge or of one run. */
export async function readHistory(ctx: Context, input: InputOf<typeof canvas.history>) {
  const { limit, cursor, itemId, runId } = input
  const project = await findProject(ctx, input.projectId)
  const { orgId, id } = project
  const name = JSON.stringify(['history', orgId, id, itemId, runId])
  const before = decodeCursor(ctx.vault, name, cursor)
  const rows = await listChanges(ctx.sql, orgId, id, { itemId, runId, before, limit: limit + 1 })
  const isRestorable = await restorableOf(ctx, project, rows)
  const items = rows.map((change) => ({ id: String(change.seq), change }))
  return cursorPage(ctx.vault, name, limit, items, ({ change }) => ({
    ...change,
    restorable: isRestorable(change.seq),
  }))
}

/** In a pruned part of the history, only snapshots can be restored. */
async function restorableOf({ sql }: Context, { orgId, id, prunedSeq }: ProjectRow, rows: { seq: number }[]) {
  const prunedSeqs = rows.map(({ seq }) => seq).filter((seq) => seq <= prunedSeq)
  const snapshotSeqs = new Set(prunedSeqs.length > 0 ? await listSnapshotsAt(sql, orgId, id, prunedSeqs) : [])
  return (seq: number) => seq > prunedSeq || snapshotSeqs.has(seq)
}

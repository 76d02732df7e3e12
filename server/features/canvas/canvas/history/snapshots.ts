import type { canvas } from '../../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { newId } from '../../../../security/ids.ts'
import { findProject, lockProject, type ProjectRow } from '../../../projects/projects/projects.ts'
import { insertSnapshot, listSnapshots, type SnapshotRow } from './snapshot-queries.ts'

/** Marks the current position of the history, to which the canvas can be restored. */
export async function takeSnapshot(
  ctx: Context,
  /** Locked by `lockProject` in the same transaction. */
  project: ProjectRow,
  { reason, name = null }: { reason: SnapshotRow['reason']; name?: string | null },
): Promise<SnapshotRow> {
  const snapshot = { id: newId(), seq: project.changeSeq, reason, name, createdBy: ctx.caller.userId }
  return insertSnapshot(ctx.sql, project.orgId, project.id, { ...snapshot, now: ctx.now() })
}

export const take = (ctx: Context, { projectId, name }: InputOf<typeof canvas.snapshot>) =>
  ctx.transaction(async (inside) =>
    takeSnapshot(inside, await lockProject(inside, projectId), { reason: 'manual', name: name ?? null }),
  )

export async function list(ctx: Context, { projectId, limit, cursor }: InputOf<typeof canvas.snapshots>) {
  const { orgId, id } = await findProject(ctx, projectId)
  const name = `snapshots ${orgId} ${id}`
  const before = decodeCursor(ctx.vault, name, cursor)
  const rows = await listSnapshots(ctx.sql, orgId, id, before, limit + 1)
  return cursorPage(ctx.vault, name, limit, rows, (row) => row)
}

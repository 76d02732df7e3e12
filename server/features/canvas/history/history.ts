import type { canvas } from '../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { findProject } from '../../projects/projects.ts'
import { listChanges } from './history-queries.ts'

/** The changes of a canvas, newest first, optionally of one block or edge or of one run. */
export async function readHistory(ctx: Context, input: InputOf<typeof canvas.history>) {
  const { limit, cursor, itemId, runId } = input
  const { orgId, id } = await findProject(ctx, input.projectId)
  const name = JSON.stringify(['history', orgId, id, itemId, runId])
  const before = decodeCursor(ctx.vault, name, cursor)
  const rows = await listChanges(ctx.sql, orgId, id, { itemId, runId, before, limit: limit + 1 })
  const items = rows.map((change) => ({ id: String(change.seq), change }))
  return cursorPage(ctx.vault, name, limit, items, ({ change }) => change)
}

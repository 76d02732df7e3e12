import { scopeGrants } from '../../../contract/accounts/scopes.ts'
import type { agentRuns } from '../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { cursorPage, decodeCursor } from '../../database/cursor.ts'
import { type ItemPosition, listCanvasChanges, listChangedProjects } from '../canvas/canvas.ts'
import { listFileChanges, readChangedText } from '../files/files.ts'
import { findUndoable } from '../runs/runs.ts'
import { filterVisible } from './visible-queries.ts'

/** The position after an item: in the changes of canvases, which come first, or in those of files. */
interface Position {
  canvas: ItemPosition | null
  file: number
}

const START: Position = { canvas: null, file: 0 }

/** A page of what a run changed and the caller sees; files only for callers that may read files. */
export async function listChanges(ctx: Context, { id, limit, cursor }: InputOf<typeof agentRuns.changes>) {
  const { orgId } = await findUndoable(ctx, id, 'view')
  const list = `run changes ${orgId} ${id}`
  const decoded = decodeCursor(ctx.vault, list, cursor)
  const from: Position = decoded === null ? START : JSON.parse(decoded)
  const canvas = from.file > 0 ? [] : await canvasPage(ctx, id, from.canvas, limit + 1)
  const room = limit + 1 - canvas.length
  const files = room > 0 && mayReadFiles(ctx) ? await filePage(ctx, id, from.file, room) : []
  const page = cursorPage(ctx.vault, list, limit, [...canvas, ...files], ({ change }) => change)
  return { ...page, items: page.items.filter((item) => item !== null) }
}

const idOf = (position: Position) => JSON.stringify(position)

async function canvasPage(ctx: Context, runId: string, after: ItemPosition | null, limit: number) {
  const { orgId } = ctx.caller
  const projectIds = await filterVisible(ctx, await listChangedProjects(ctx.sql, orgId, runId))
  const rows = await listCanvasChanges(ctx.sql, orgId, runId, projectIds, { after, limit })
  return rows.map(({ position, change }) => ({ id: idOf({ canvas: position, file: 0 }), change }))
}

async function filePage(ctx: Context, runId: string, after: number, limit: number) {
  const rows = await listFileChanges(ctx, runId, { after, limit })
  return rows.map(({ seq, change }) => ({ id: idOf({ canvas: null, file: seq }), change }))
}

const mayReadFiles = ({ caller: { scopes } }: Context) =>
  scopes === 'all' || scopeGrants(scopes, 'files:read')

export async function readText(ctx: Context, input: InputOf<typeof agentRuns.changedText>) {
  await findUndoable(ctx, input.id, 'view')
  return readChangedText(ctx, input)
}

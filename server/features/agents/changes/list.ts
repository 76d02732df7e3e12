import { scopeGrants } from '../../../../contract/accounts/scopes.ts'
import type { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { type ItemPosition, listCanvasChanges, listChangedProjects } from '../../canvas/canvas/canvas.ts'
import { listFileChanges, readChangedText } from '../../files/files/files.ts'
import { listMemoryChanges } from '../../knowledge/memory/memory.ts'
import { projectAccess } from '../../projects/access/access.ts'
import { listTableChanges, listTableProjects } from '../../projects/tables/tables.ts'
import { findUndoable, listDescendants } from '../runs/runs.ts'

/** Position after an item. Canvas changes come first, then files, then memory, then tables. */
interface Position {
  canvas: ItemPosition | null
  file: number
  memory: string | null
  table: string | null
}

const START: Position = { canvas: null, file: 0, memory: null, table: null }

/** Includes the run's children, and files only if the caller may read files. */
export async function listChanges(
  ctx: Context<'vault'>,
  { id, limit, cursor }: InputOf<typeof agentRuns.changes>,
) {
  const runIds = await listTreeIds(ctx, id)
  const { orgId } = ctx.caller
  const list = `run changes ${orgId} ${id}`
  const decoded = decodeCursor(ctx.vault, list, cursor)
  const from: Position = decoded === null ? START : JSON.parse(decoded)
  const isPastMemory = from.table !== null
  const isPastFiles = from.memory !== null || isPastMemory
  const canvas = from.file > 0 || isPastFiles ? [] : await canvasPage(ctx, runIds, from.canvas, limit + 1)
  const fileLimit = limit + 1 - canvas.length
  const listsFiles = fileLimit > 0 && !isPastFiles && mayReadFiles(ctx)
  const files = listsFiles ? await filePage(ctx, runIds, from.file, fileLimit) : []
  const memoryLimit = fileLimit - files.length
  const listsMemory = memoryLimit > 0 && !isPastMemory
  const memories = listsMemory ? await memoryPage(ctx, runIds, from.memory, memoryLimit) : []
  const tableLimit = memoryLimit - memories.length
  const tables = tableLimit > 0 ? await tablePage(ctx, runIds, from.table, tableLimit) : []
  const items = [...canvas, ...files, ...memories, ...tables]
  const page = cursorPage(ctx.vault, list, limit, items, ({ change }) => change)
  return { ...page, items: page.items.filter((item) => item !== null) }
}

const encodePosition = (position: Position) => JSON.stringify(position)

/** The run and those it started. */
async function listTreeIds(ctx: Context, id: string): Promise<string[]> {
  const { orgId } = await findUndoable(ctx, id, 'view')
  return [id, ...(await listDescendants(ctx.sql, orgId, id)).map((run) => run.id)]
}

async function canvasPage(
  ctx: Context,
  runIds: readonly string[],
  after: ItemPosition | null,
  limit: number,
) {
  const { orgId } = ctx.caller
  const projectIds = await filterVisible(ctx, await listChangedProjects(ctx.sql, orgId, runIds))
  const rows = await listCanvasChanges(ctx.sql, orgId, runIds, projectIds, { after, limit })
  return rows.map(({ position, change }) => ({ id: encodePosition({ ...START, canvas: position }), change }))
}

async function filePage(ctx: Context, runIds: readonly string[], after: number, limit: number) {
  const rows = await listFileChanges(ctx, runIds, { after, limit })
  return rows.map(({ seq, change }) => ({ id: encodePosition({ ...START, file: seq }), change }))
}

async function memoryPage(ctx: Context, runIds: readonly string[], after: string | null, limit: number) {
  const changes = await listMemoryChanges(ctx, runIds, { after, limit })
  return changes.map((change) => ({
    id: encodePosition({ ...START, memory: change.id }),
    change: { kind: 'memory' as const, isText: false, ...change },
  }))
}

async function tablePage(ctx: Context, runIds: readonly string[], after: string | null, limit: number) {
  const { orgId } = ctx.caller
  const projectIds = await filterVisible(ctx, await listTableProjects(ctx.sql, orgId, runIds))
  const changes = await listTableChanges(ctx.sql, orgId, runIds, { after, limit, projectIds })
  return changes.map((change) => ({
    id: encodePosition({ ...START, table: change.id }),
    change: { kind: 'table' as const, isText: false, ...change },
  }))
}

const mayReadFiles = ({ caller: { scopes } }: Context) =>
  scopes === 'all' || scopeGrants(scopes, 'files:read')

export async function readText(ctx: Context<'objects'>, input: InputOf<typeof agentRuns.changedText>) {
  return readChangedText(ctx, await listTreeIds(ctx, input.id), input)
}

async function filterVisible({ sql, caller }: Context, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select p.id from projects p
    where p.org_id = ${caller.orgId} and p.id = any(${ids}::uuid[]) and p.deleted_at is null
      and ${projectAccess(sql, caller)} is not null`
  return rows.map(({ id }) => id)
}

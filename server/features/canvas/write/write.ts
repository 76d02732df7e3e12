import { BLOCKS_MAX, CANVAS_BYTES_MAX, EDGES_MAX } from '../../../../contract/canvas/blocks.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { badField, badRequest } from '../../../errors.ts'
import { lockProject, type ProjectRow } from '../../projects/projects.ts'
import { isRunning } from '../../runs/runs.ts'
import { applyPlan, type WriteResult } from './apply.ts'
import { checkFiles } from './block-file.ts'
import { type CanvasWrite, normalizeIds, type WriteOptions } from './canvas-write.ts'
import { type AffectedItems, loadAffected } from './load-affected.ts'
import { type CanvasPlan, planBlocks, planEdges } from './plan.ts'
import { countItems } from './read-queries.ts'
import { growthOf } from './size.ts'

interface WriteCanvasOptions extends Partial<WriteOptions> {
  /** The run that makes the change, and the field of the request that names it. */
  runId?: string | undefined
  runField?: string
  /** Called with the loaded rows before the change is planned; may throw. */
  check?: (affected: AffectedItems) => void
  /** False if the change is part of a larger operation, which publishes its own event. */
  publishEvents?: boolean
}

/** A change requested by a caller, in a transaction of its own. */
export const changeCanvas = (
  ctx: Context,
  projectRef: string,
  write: CanvasWrite,
  options?: WriteCanvasOptions,
) =>
  ctx.transaction(async (inside) =>
    writeCanvas(inside, await lockProject(inside, projectRef), write, { ...options, publishEvents: true }),
  )

/** The only way to change a canvas: validates the whole write, then applies it with its history, or nothing. */
export async function writeCanvas(
  ctx: Context,
  /** Locked by `lockProject` in the same transaction; its `changeSeq` is advanced. */
  project: ProjectRow,
  input: CanvasWrite,
  options: WriteCanvasOptions = {},
): Promise<WriteResult> {
  const write = normalizeIds(input)
  const fieldOf = options.fieldOf ?? ((verb, table, index) => `body.${verb}.${table}.${index}`)
  const writeOptions = { ...options, fieldOf, isRestoring: options.isRestoring ?? false }
  const [affected] = await Promise.all([
    loadAffected(ctx.sql, project, write),
    checkRun(ctx, project, options),
  ])
  options.check?.(affected)
  const blocks = planBlocks(affected, write, writeOptions)
  const edges = planEdges(affected, write, blocks, writeOptions)
  const plan = { blocks, edges, growth: growthOf(blocks) }
  await Promise.all([
    checkCapacity(ctx.sql, project, plan),
    writeOptions.isRestoring || checkFiles(ctx.sql, project, affected, write, writeOptions),
  ])
  return applyPlan(ctx, project, plan, {
    runId: options.runId ?? null,
    publishEvents: options.publishEvents ?? false,
  })
}

/** Only a running run can change the canvas, and a guest acts for none. */
async function checkRun(
  { sql, caller }: Context,
  { orgId, id }: ProjectRow,
  { runId, runField = 'body.runId' }: WriteCanvasOptions,
): Promise<void> {
  if (runId === undefined || (!caller.share && (await isRunning(sql, orgId, id, runId)))) return
  throw badField(runField, 'must be a run of this project that is in progress')
}

async function checkCapacity(
  sql: Sql,
  { orgId, id, canvasBytes }: ProjectRow,
  plan: CanvasPlan,
): Promise<void> {
  const { blocks, edges, growth } = plan
  if (growth > 0 && canvasBytes + growth > CANVAS_BYTES_MAX) {
    throw badRequest('A canvas can hold at most 32 MB of text: move long texts into files')
  }
  if (blocks.created.length === 0 && edges.created.length === 0) return
  const count = await countItems(sql, orgId, id)
  const tooMany = (table: 'blocks' | 'edges', max: number) =>
    plan[table].created.length > plan[table].deleted.length &&
    count[table] + plan[table].created.length - plan[table].deleted.length > max
  const full = (what: string, max: number) =>
    badRequest(`A canvas can hold at most ${max.toLocaleString('en-US')} ${what}: remove some first`)
  if (tooMany('blocks', BLOCKS_MAX)) throw full('blocks', BLOCKS_MAX)
  if (tooMany('edges', EDGES_MAX)) throw full('connections', EDGES_MAX)
}
